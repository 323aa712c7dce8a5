"""A stored text made harmless inside a prompt's block: nothing in it can be read as the block's tag or delimiter.

Nor can it after what readers do to a text before they look at it: any Unicode normalisation (fullwidth and styled
letters become plain ones), or replacing HTML's character references, once or again and again.
"""

import html
import re
import unicodedata
from functools import lru_cache
from typing import Final

from hippocore.visible import visible_line

BREAK: Final = "·"  # stands inside what would be read otherwise; every normal form keeps it
# A tag that opens or closes a block of this kind, whatever its delimiter, spacing or case.
_TAG: Final = re.compile(r"<(?=[\s/]*memories)", re.IGNORECASE)
_AMPERSAND: Final = re.compile(r"[&＆﹠]")
_NUMERIC_REFERENCE: Final = re.compile(r"[&＆﹠](?=[#＃﹟])")


def neutral_line(text: str, delimiter: str) -> str:
    """Return one visible line in which neither a tag of a block nor the delimiter (ASCII) can be read."""
    line = visible_line(text)
    if not line.isascii():
        plain = _plain(line)
        if _closes(plain, delimiter):
            line = visible_line(plain)  # in the letters that it stands for, where it can be broken
    if "&" in line or (not line.isascii() and _AMPERSAND.search(line)):
        line = _without_references(line, delimiter)
    if "<" in line:
        line = _TAG.sub("‹", line)
    if not _says(line, delimiter):
        return line
    return _occurrence(delimiter).sub(rf"\1{BREAK}", line)


def _without_references(line: str, delimiter: str) -> str:
    """Break character references that would turn into more than a sign on this line."""
    line = _NUMERIC_REFERENCE.sub(rf"\g<0>{BREAK}", line)
    forms = {line, _plain(line)}
    if all(_is_harmless(html.unescape(form), form, delimiter) for form in forms):
        return line
    return _AMPERSAND.sub(rf"\g<0>{BREAK}", line)


def _is_harmless(read: str, written: str, delimiter: str) -> bool:
    if read == written:
        return True
    shown = read.replace("\xa0", " ")
    if "&#" in read or html.unescape(read) != read:  # it would be read again
        return False
    return visible_line(shown) == shown and not _closes(_plain(read), delimiter)


def _plain(text: str) -> str:
    # What is plain letters in any normal form is so in this one: composing, which others add, makes no ASCII letter.
    return unicodedata.normalize("NFKD", text)


def _closes(text: str, delimiter: str) -> bool:
    return ("<" in text and _TAG.search(text) is not None) or _says(text, delimiter)


def _says(text: str, delimiter: str) -> bool:
    return delimiter.lower() in text.lower()


@lru_cache(maxsize=16)
def _occurrence(delimiter: str) -> re.Pattern[str]:
    """Match the first character of each occurrence, so that overlapping ones are broken too."""
    return re.compile(f"(?={re.escape(delimiter)})(.)", re.IGNORECASE)
