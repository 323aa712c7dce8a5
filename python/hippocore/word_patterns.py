r"""Where words begin and end, as patterns: for any text, and the same for text in ASCII.

Both are made by one function from the classes of characters below, so that they agree; only the first needs the library
that knows Unicode's properties, which takes long to import, and most agents write English and code.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, NamedTuple


class Patterns(NamedTuple):
    """What a text is cut with. In `chain`, the group "dense" is a run of letters without spaces between words."""

    chain: re.Pattern[str]  # a word, or several that are joined to one identifier
    word: re.Pattern[str]
    border: re.Pattern[str]  # between the parts of a word
    cluster: re.Pattern[str]  # of a dense run: a letter with its marks
    unseen: re.Pattern[str]  # characters that are not shown and end no word


class _Classes(NamedTuple):
    """Insides of brackets; "" is a class of no character."""

    letter: str
    lower: str
    upper: str
    number: str
    mark: str
    joining: str  # stands between the letters of an identifier, as an underscore does
    dense: str
    unseen: str


_IN_ASCII: Final = _Classes("A-Za-z", "a-z", "A-Z", "0-9", "", "_", "", "")
# Letters that UAX #29 sets apart one by one, and those of Hangul, whose words carry their particles.
_DENSE: Final = (
    r"[\p{L}\p{Nl}]&&[[^\p{WB=ALetter}\p{WB=Hebrew_Letter}]\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}\p{Bopomofo}]"
)
_IN_UNICODE: Final = _Classes(
    letter=rf"\p{{L}}--[{_DENSE}]",
    lower=r"\p{Ll}",
    upper=r"\p{Lu}",
    number=rf"\p{{N}}--[{_DENSE}]",
    mark=r"\p{M}",
    joining=r"\p{Pc}",
    dense=_DENSE,
    unseen=r"\p{DI}--\u200B",  # the zero-width space is a space
)
# UAX #29's MidLetter and MidNum with MidNumLet; no colon, which newer versions took out.
_IN_WORD: Final = "'’.·״‧"
_IN_NUMBER: Final = "'’.,;⁄٫٬،"


def patterns_for(text: str) -> Patterns:
    """Return the patterns that read a text."""
    return _of_ascii() if text.isascii() else _of_unicode()


@cache
def _of_ascii() -> Patterns:
    return _patterns(re.compile, _IN_ASCII)


@cache
def _of_unicode() -> Patterns:
    import regex

    return _patterns(lambda pattern: regex.compile(pattern, regex.VERSION1), _IN_UNICODE)


def _patterns(compiled: Any, of: _Classes) -> Patterns:
    word, nothing = _word(of), "(?!)"
    # Two and more words with a slash, a colon or an at sign between them; C++, F#.
    chain = rf"{word}(?:[/\\:@]{{1,3}}{word})*(?:\+\+|\#(?!{_any(of.letter, of.number, of.joining)}))?"
    dense = f"(?P<dense>{_run(of.dense, of.mark)})|" if of.dense else ""
    return Patterns(
        chain=compiled(dense + chain),
        word=compiled(word),
        border=compiled(_border(of)),
        cluster=compiled(f"[{of.dense}][{of.mark}]*" if of.dense else nothing),
        unseen=compiled(f"[{of.unseen}]" if of.unseen else nothing),
    )


def _word(of: _Classes) -> str:
    letters, numbers = _run(of.letter, of.mark), _run(of.number, of.mark)
    marks = f"[{of.mark}]*" if of.mark else ""
    in_word, in_number = f"[{_IN_WORD}]{marks}", f"[{_IN_NUMBER}]{marks}"
    joining = _run(of.joining, of.mark)
    return f"(?:{letters}(?:{in_word}{letters})*|{numbers}(?:{in_number}{numbers})*|{joining})+"


def _border(of: _Classes) -> str:
    lower, upper, number = f"[{of.lower}]", f"[{of.upper}]", f"[{of.number}]"
    letter = _any(of.letter, of.mark)
    return (
        f"(?<={lower})(?={upper})|(?<={upper})(?={upper}{lower}{lower})"  # fetchTool, HTTPServer, but not PDFs
        f"|(?<={letter})(?={number})|(?<={number})(?={letter})"
        f"|{_any(of.joining, '.·״‧,;⁄٫٬،')}+|(?<={number})['’]"
        f"|['’](?={letter}{{3}})"  # l'homme, O'Brien, but not don't, we've
    )


def _run(first: str, mark: str) -> str:
    return f"[{first}]{_any(first, mark)}*"  # marks at its start stand alone


def _any(*classes: str) -> str:
    """Return what matches a character that is in one of the classes."""
    return f"(?:{'|'.join(f'[{one}]' for one in classes if one)})"
