"""The English words by which a statement is read for corrections, in the form that `canonical` gives them.

Lists of this project's own, short on purpose: a word that is missing costs a correction that is not seen, a word too
many costs a memory that was true.
"""

from __future__ import annotations

from typing import Final

_SIBILANT_ENDINGS: Final = ("sses", "shes", "ches", "xes", "zes", "oes")


# "On Mondays" says when something happens, and other days beside it are no correction.
_DAYS: Final = "mondays tuesdays wednesdays thursdays fridays saturdays sundays"


def canonical(word: str) -> str:
    """Return a folded word without the -s of a plural or a third person; the present of "be" and "have" as one form."""
    if (same := _FORMS.get(word)) is not None:
        return same
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(_SIBILANT_ENDINGS):
        return word[:-2]
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui'":
        return word[:-1]
    return word


def _words(text: str) -> frozenset[str]:
    return frozenset(map(canonical, text.split()))


def as_written(text: str) -> frozenset[str]:
    """Return the words of a text as they stand there."""
    return frozenset(text.split())


RECURRING: Final = as_written(_DAYS)


_FORMS: Final = {
    **dict.fromkeys(("am", "is", "are"), "be"),
    "has": "have",
    "does": "do",
    "percent": "%",
    "favorite": "favourite",
    "colour": "color",
    "preferred": "favourite",
    **{day: day for day in RECURRING},
    **{word: word for word in ("news", "this", "always", "his", "yes")},
}

# What is said around a statement and is none of it.
ARTICLES: Final = frozenset(("a", "an", "the"))
FILLERS: Final = frozenset(("currently", "still", "already", "just", "really", "presently", "always", "usually"))
NEGATIONS: Final = frozenset(("not", "never", "no", "cannot", "n't", "neither", "nor"))
# What says that a statement holds beside others: it corrects none.
ADDITIONS: Final = frozenset(("also", "too", "another", "additionally", "besides", "both", "extra", "other", "else"))
# Beginnings that take something back, and what says that it was otherwise before.
TAKEN_BACK: Final = (
    ("actually",),
    ("correction",),
    ("in", "fact"),
    ("on", "second", "thought"),
    ("sorry",),
    ("wait",),
    ("scratch", "that"),
    ("i", "was", "wrong"),
    ("update",),
    ("edit",),
)
CHANGED: Final = (
    ("from", "now", "on"),
    ("from", "today", "on"),
    ("as", "of", "today"),
    ("these", "day"),
    ("nowadays",),
    ("now",),
)
NO_LONGER: Final = (("no", "longer"), ("not", "anymore"), ("anymore",), ("any", "more"))
# What comes before a value that holds no longer: "uses vim instead of emacs".
INSTEAD: Final = (("instead", "of"), ("rather", "than"), ("in", "place", "of"))

MONTHS: Final = _words(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
WEEKDAYS: Final = _words("monday tuesday wednesday thursday friday saturday sunday")
DATE_WORDS: Final = (
    MONTHS | WEEKDAYS | as_written("am pm noon midnight tomorrow morning afternoon evening o'clock utc cet est")
)

# A number after one of these counts which one, not how many; in English and, for texts that are not, some others.
INDEXED: Final = _words(
    "item step page chapter section part paragraph line row column figure table question exercise lesson unit volume "
    "episode season round day week lap level slide entry number no issue ticket task bug invoice order phase stage "
    "act scene verse note example test case sprint iteration batch attempt try game match draft article clause point "
    "seite schritt kapitel nummer nr teil frage aufgabe punkt étape page chapitre numéro paso página capítulo número "
    "passo pagina capitolo numero stap bladzijde hoofdstuk parte"
)

UNITS: Final = _words(
    "% b kb mb gb tb ms s sec min h hour minute second day week month year kg g mg t lb km m cm mm mile meter metre "
    "$ € £ dollar euro pound usd eur gbp cent hz khz mhz ghz v w kw ml l liter litre degree c f px pt"
)

CHANGES: Final = _words(
    "changed switched updated set raised increased lowered reduced cut bumped upgraded downgraded extended grew "
    "dropped moved migrated renamed rose fell shrank went"
)
# Verbs before a value. What comes before the first of them is what the statement is about.
VERBS: Final = CHANGES | _words(
    "be was were have had do can may must should will would could live reside work work like love enjoy hate dislike "
    "prefer use need want cost weigh speak own run take start begin end finish open close expire belong report "
    "drive drink eat study sit stay know require listen point target depend support contain include hold allow "
    "accept offer teach play read watch wear sleep earn pay charge serve store keep return call named called based "
    "located hosted stored deployed married born owned managed led maintained assigned written moved relocated "
    "migrated switched changed joined renamed became scheduled rescheduled postponed promoted raised lowered "
    "increased reduced upgraded downgraded replaced left quit stopped go come make get set seem expect follow trust "
    "believe think avoid deploy push commit merge reply answer respond write review test monitor"
)
# Several of what they say hold at once: "speaks French", "speaks German". Only how many there are can be corrected.
OF_MANY: Final = _words(
    "like love enjoy hate dislike want know speak own support contain include accept offer teach play read watch eat "
    "see follow allow serve study trust have need keep get make call"
)
PRESENT_BEFORE_PAST: Final = _words("be have will can must should may")  # "is based in", "has visited"
PAST: Final = as_written(
    "was were had did went ran ate drank paid bought sold wrote read saw met came gave took made got said told felt "
    "found built drove flew slept spent won lost swam sang began chose forgot knew lent rode sent spoke stood taught "
    "threw thought wore woke"
) - {"read"}
NO_PAST: Final = as_written(
    "need speed feed seed weed red bed shed breed embed hundred indeed exceed succeed proceed unlimited limited "
    "preferred supposed"
)

# Phrases between what a statement is about and its value, by what they say of it. Statements of one family about one
# thing exclude each other.
_PHRASES: Final = {
    "place": (
        "live in, live at, reside in, based in, based at, located in, located at, located on, be in, be at, "
        "be on, run on, run in, hosted on, hosted at, hosted in, hosted by, stored in, stored at, stored on, "
        "deployed to, deployed on, deployed in, sit in, sit at, moved to, relocated to, migrated to, "
        "settled in, moved into, kept in, kept at"
    ),
    "employer": "work at, work for, employed by, employed at, joined, hired by",
    "role": "work as, promoted to, employed as",
    "spouse": "married to, married",
    "name": "named, called, renamed to, renamed, known as, go by",
    "owner": "owned by, belong to",
    "manager": "managed by, report to, supervised by",
    "lead": "led by",
    "maintainer": "maintained by",
    "assignee": "assigned to, reassigned to, handled by",
    "language": "written in, rewritten in, ported to, implemented in",
    "school": "study at, enrolled at, enrolled in",
    "time": (
        "be on, be at, be due, be due on, be due by, due, due on, due by, moved to, take place on, "
        "scheduled for, scheduled on, scheduled at, run at, rescheduled to, rescheduled for, postponed to, "
        "postponed until, take place at, happen on, happen at, fall on, delayed to, delayed until"
    ),
    "start": "start at, start on, begin at, begin on, start in, begin in, open at",
    "end": "end at, end on, end in, finish at, finish on, expire on, expire in, expire at, close at",
    "birth": "born in, born on",
    "target": "point to, listen on, redirect to",
}
FAMILIES: Final[dict[tuple[str, ...], frozenset[str]]] = {}
for _name, _phrases in _PHRASES.items():
    for _phrase in _phrases.split(", "):
        _form = tuple(map(canonical, _phrase.split()))
        FAMILIES[_form] = FAMILIES.get(_form, frozenset()) | {_name}
MOST_IN_PHRASE: Final = max(map(len, FAMILIES))

# Verbs of which a first one before a participle says nothing of its own: "has been moved to".
AUXILIARIES: Final = frozenset(("be", "have", "been", "being", "was", "were", "get", "got"))

# What a thing has one of: "the deadline is …", "Ada's manager is …".
ATTRIBUTES: Final = _words(
    "name address email phone port host hostname url version color size age birthday deadline budget price cost status "
    "state owner lead manager boss job title role team city country capital employer company database server branch "
    "licence license editor language framework timezone zone limit timeout threshold frequency rate salary password "
    "username nickname mode theme format encoding currency location office hometown nationality profession occupation "
    "goal priority plan target date time day month year maximum minimum length width height weight temperature "
    "capacity quota region bucket endpoint schema policy default winner captain president director ceo cto maintainer "
    "reviewer assignee contact wife husband spouse partner diet shell browser tool linter formatter model provider "
    "weekday start end duration interval retention level count"
)
ONE_OF_A_KIND: Final = _words("favourite default current main primary preferred official new usual")
# What one can have several of: "Ada's friend is Bob", "Carol is the sister of Bob".
SHARED: Final = _words(
    "friend sister brother son daughter child cousin member colleague parent aunt uncle fan coworker neighbour "
    "neighbor pet hobby skill interest language student teammate author contributor example reason part kind sort one"
)

# Where a value ends and the circumstances begin; the latter make two statements be about different cases.
TAILS: Final = as_written(
    "on in for with when if during at while since until as because and but from after before except unless where or "
    "by near via under over inside within every each per"
)
HARMLESS_TAILS: Final = frozenset(("and", "with", "since", "because", "from", "as"))

_OPPOSITES: Final = (
    "enabled disabled, enable disable, on off, open closed, allowed forbidden, allowed prohibited, allow forbid, "
    "public private, light dark, active inactive, like hate, like dislike, love hate, accept reject, "
    "accepted rejected, accept refuse, always never, true false, online offline, required optional, "
    "mandatory optional, married single, married divorced, alive dead, hot cold, vegetarian carnivore, high low, "
    "fast slow, safe unsafe, include exclude, included excluded, synchronous asynchronous, permitted forbidden, "
    "stable unstable, available unavailable, valid invalid, full empty, possible impossible, "
    "cheap expensive, tab space, tabs spaces, supported unsupported, trusted untrusted, increase decrease, "
    "strict lenient, approved rejected, passing failing, present absent, legal illegal, happy unhappy, free paid, "
    "love dislike, encrypted unencrypted, signed unsigned, blocked unblocked, agree disagree, deny allow, "
    "internal external, manual automatic, manually automatically, mutable immutable"
)
OPPOSITES: Final = frozenset(
    frozenset(map(canonical, pair.split())) for pair in _OPPOSITES.split(", ") if len(set(pair.split())) == 2
)

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS: Final = {
    **{word: value for value, word in enumerate(_SMALL.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), 2)},
    "dozen": 12,
}
SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}

# What comes behind one of them holds in some cases: no word after it may differ, or be denied.
CONDITIONS: Final = frozenset(("if", "whether", "unless", "when"))
# Words that say nothing about which statement it is, where order is not looked at.
EMPTY: Final = ARTICLES | _words(
    "be was were have had do did can may must should will would could to of that this it you we they one there "
    "on in for with when if during at as and but from where or by"
)
# Articles of other languages: a number after one and a noun says which, not how many.
OTHER_ARTICLES: Final = as_written("le la les un une el los las il lo gli der die das den dem o os het de een")
COUNTRIES: Final = _words(
    "africa america asia europe australia austria belgium brazil canada chile china denmark egypt england finland "
    "france germany greece hungary india indonesia ireland israel italy japan kenya korea mexico netherlands nigeria "
    "norway poland portugal romania russia scotland spain sweden switzerland taiwan thailand turkey uk ukraine "
    "usa vietnam wales"
)
