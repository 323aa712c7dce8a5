"""A text as one line that shows everything it does: no line breaks, no control, invisible or direction characters."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

LINE_BREAK_MARK: Final = " ⏎ "
UNKNOWN_MARK: Final = "\N{REPLACEMENT CHARACTER}"
_PLAIN_ASCII: Final = re.compile(r"[ -~]*")
# Every character that Unicode or str.splitlines takes for the end of a line.
_LINE_BREAKS: Final = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
# Letters and signs that show nothing but take room, and categories of spaces.
_BLANKS: Final = frozenset("\t\u115f\u1160\u2800\u3164\uffa0")
# Marks without a glyph that are neither control nor format characters: a joiner, variation selectors, fillers. Among
# unassigned characters, those that Unicode wants ignored (with the tags: a way to hide text that models read).
_WITHOUT_GLYPH: Final = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180f\u2065\ufe00-\ufe0f\ufff0-\ufff8\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
# Format characters that are seen: signs of Arabic, Syriac and Kaithi that stand around numbers.
_SEEN_FORMATS: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u0890\u0891\u08e2\U000110bd\U000110cd")
_UNKNOWN: Final = frozenset({"Cn", "Co", "Cs"})  # unassigned, private, half of a pair
_REMOVED: Final = frozenset({"Cc", "Cf"})


def visible_line(text: str) -> str:
    """Return the text on one line, in time linear in its length.

    Line breaks become ⏎, odd spaces plain ones; what means nothing to Unicode becomes �, what cannot be seen goes.
    Joiners go too: a family of emoji falls apart, and Persian or Hindi may join other letters than its writer wanted.
    """
    if _PLAIN_ASCII.fullmatch(text):
        return text
    line = LINE_BREAK_MARK.join(filter(None, map(str.strip, _LINE_BREAKS.split(text))))
    table = {ord(one): shown for one in set(line) if (shown := _shown(one)) != one}
    return line.translate(table) if table else line


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    """Return what stands for a character: itself, where it can be seen."""
    category = unicodedata.category(character)
    if character in _BLANKS or category == "Zs":
        return " "
    if _WITHOUT_GLYPH.match(character) or (category in _REMOVED and character not in _SEEN_FORMATS):
        return ""
    return UNKNOWN_MARK if category in _UNKNOWN else character
