"""A text as one line that shows everything it does: no line breaks, no control, invisible or direction characters."""

import re
from typing import Final

LINE_BREAK_MARK: Final = " ⏎ "
_PLAIN_ASCII: Final = re.compile(r"[ -~]*")
# Every character that Unicode or str.splitlines takes for the end of a line, with the spaces around it.
_LINE_BREAKS: Final = re.compile("[\\s]*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029][\\s]*")
_SPACES: Final = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0\u115f\u1160]")
# Controls; soft hyphen; joiners and marks without a glyph; directions; variation selectors; tags (a way to hide text
# from people that models read); interlinear marks; lone surrogates; non-characters.
_HIDDEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def visible_line(text: str) -> str:
    """Return the text on one line: line breaks shown as ⏎, odd spaces as plain ones, what cannot be seen removed."""
    if _PLAIN_ASCII.fullmatch(text):
        return text
    line = _LINE_BREAKS.sub(LINE_BREAK_MARK, text.strip())
    return _HIDDEN.sub("", _SPACES.sub(" ", line))
