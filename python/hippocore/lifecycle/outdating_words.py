"""The English words by which a text is read for what it outdates, in the form of `correction_words.canonical`."""

from __future__ import annotations

from typing import Final

from hippocore.lifecycle import correction_words as english
from hippocore.lifecycle.correction_words import as_written

OWNERS: Final = frozenset(("my", "our", "his", "her", "their", "your"))
MONEY: Final = as_written("$ € £ dollar euro pound usd eur gbp cent buck")
WITH: Final = as_written("with from at by for")
WHERE: Final = as_written("in into near")
BESIDES: Final = as_written("also additionally besides")
FORMATS: Final = as_written(
    "pdf markdown html latex text csv asciidoc slide word json yaml xml docx xlsx excel epub odt rtf svg png jpeg "
    "powerpoint tsv parquet toml rst docbook spreadsheet"
)
# What is counted without saying what it is.
ANYTHING_COUNTED: Final = as_written("item piece thing entry unit people person head guest participant name")
AS: Final = as_written("as in be to into : now")
# What has a number as its value: "port 8000", "firmware 3.8"; behind other nouns a number says which.
NUMBERED: Final = english.ATTRIBUTES | as_written("version release firmware release total count inventory")
ENDS: Final = tuple(
    frozenset(pair.split())
    for pair in ("open close", "start end", "begin end", "start finish", "begin finish", "arrive leave", "buy sell")
)
TO: Final = as_written("to into onto")
BEFORE_THE_OLD: Final = as_written("not no never more than off forget dumped cancelled replaced left longer")
BEFORE_A_YEAR: Final = as_written("in since by until of")
BEFORE_A_TOTAL: Final = as_written("be : = at to")
# What comes behind one of them is a reason or a moment, not what a text is about.
REASONS: Final = as_written("since after before during until when while")
# Where the name of a thing ends, beside verbs and what links words.
BOUNDARY: Final = english.FILLERS | as_written(
    ": = - back up down out away over again please any longer more anymore now today these it off i into onto "
    "through about around "
    "against between toward towards upon via without across us me him them shall might "
    "everything everybody everyone nobody nothing something somebody someone anyone anybody anything"
)
# What has no name of its own: what things have, and words that stand for anything.
VAGUE: Final = as_written(
    "user way thing moment day week month year time morning afternoon evening weekend end person people man woman "
    "place list "
    "rest lot one first second last next whole best family house home street city office letter mail name firm company "
    "machine box guy kid same release copy file hand total date result inventory headcount path note amount "
    "count hour address right left old new money bill invoice"
)
# What is said of a thing, whatever stands before it: "the binding date", "the monthly amount".
MEASURES: Final = as_written("date day time hour week month year amount total count number price")
OF_ANYTHING: Final = VAGUE | english.ATTRIBUTES | english.ONE_OF_A_KIND
# Attributes that say of what a value is, where they are named; "date" or "number" do not.
TELLING: Final = english.ATTRIBUTES - as_written(
    "date time day month year number amount level count value current status state name plan target host server "
    "machine "
    "start end deadline weekday team cost price budget"
)
# What says that something is otherwise than it was.
OVER: Final = (
    english.CHANGES
    | english.NEGATIONS
    | as_written(
        "from instead rather than old used over gone longer anymore now nowadays lately henceforth onwards permanently "
        "previous previously officially since latest new final different stale wrong outdated history miscount "
        "mistaken "
        "already correct corrected correction update updated actually extension effective tired "
        "change become became moving moved relocate relocated migrate migrated transfer transferred shift "
        "shifted push pushed "
        "postpone postponed delay delayed extend extended reschedule rescheduled rebooked rearranged "
        "reorganised remapped "
        "swap swapped switch replace replaced replacing exchange exchanged convert converted turned rename redone "
        "put handed passed inherited succeeded succeed reassigned promoted step stepped fired hired resigned retired "
        "left quit dropped ditched dumped abandoned cancelled canceled terminated scrapped scratch forget bought "
        "settled outgrew bumped revised adjusted amended overwrite doubled halved hiked climbed jumped brought bring"
    )
)
# Who holds a thing, in whatever words.
HOLDERS: Final = as_written(
    "run ran lead led charge responsible head headed owner own owned look looked handle handled contact manage managed "
    "manager maintain maintained maintainer boss write care hand guardian looking"
)
