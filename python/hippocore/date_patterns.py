r"""How English says when: the patterns of dates, months, years and relative words.

They take what can hardly mean anything else. "May", "March" and numbers mean much, so each needs a word or a number
beside it that makes it a time ("in may", "May 7th", "in 2022"); an amount of things ("in 2000 words", "5 apples"), a
version, an identifier or a sum of money is none. What other languages write is either the same or is not found.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

# The library's own names of months; what English also uses as verb, and what is hardly a person's name, apart.
_VERBS: Final = r"(?:may|mar(?:ch)?)\b\.?"
_OTHERS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\b\.?"
)
_NO_NAMES: Final = r"(?:january|february|july|september|october|november|december)\b"
_MONTH: Final = f"(?:{_VERBS}|{_OTHERS})"
_CAPITAL_MONTH: Final = rf"(?:(?-i:May|Mar(?:ch)?)\b\.?|{_OTHERS})"

_APART: Final = r"(?<![\w$€£#.:/+-])"
_ENDS: Final = r"(?!\w|[-.,:/]\d|-\w| ?%)"
# No number of things: "2000 words", "5 people", "1920 by 1080"; but "2022 was" is a year.
_NO_PLURAL: Final = r"(?:was|is|has|does|as|this|his|its|us|plus|always|perhaps|sometimes|across)\b"
_COUNTED: Final = "people|men|women|children|percent|feet|meter|metre|k[gmb]|[cm]m|mi|m[gbl]|gb|mph|am|pm"
_NO_AMOUNT: Final = rf"(?! ?(?:by|x|×) ?\d)(?! (?:(?!{_NO_PLURAL})(?-i:[a-z]+s)|{_COUNTED})\b)"
_YEAR: Final = rf"{_APART}(?:19|20)\d\d{_ENDS}"
_OF_YEAR: Final = rf"(?:, ?| | of | in ){_YEAR}"
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_TO: Final = r"(?: ?[-–—] ?| (?:to|and|or|until|till|through) )(?:the )?"
_DAYS: Final = rf"(?:{_DAY}(?:{_TO}))?{_DAY}"
_DAYS_FIRST: Final = rf"{_APART}{_DAYS}(?: of)?"
_DAYS_LAST: Final = rf"(?:the )?{_DAYS}"
_NO_VERSION: Final = "".join(
    rf"(?<!\b{word} )"
    for word in ("version", "versions", "release", "releases", "build", "revision", r"ver\.", r"v\.", "v")
)
_NUMERIC: Final = (
    rf"{_NO_VERSION}{_APART}(?:(?:19|20)\d\d(?:-\d\d-|/\d\d/)\d\d|\d\d?(?:\.\d\d?\.|/\d\d?/|-\d\d?-)(?:19|20)\d\d)"
    r"(?=T\d|(?!\w|[-./:]\w))"
)

# Times wherever they stand: with a year, or with a day of a month that is no verb.
_SURE: Final = (
    rf"(?=[\d])(?:{_NUMERIC}|{_DAYS_FIRST}\.? (?:{_MONTH}{_OF_YEAR}|{_OTHERS})|{_APART}{_DAYS} of {_VERBS})"
    rf"|(?=[adfjmnos])(?:{_MONTH}(?: {_DAYS_LAST})?{_OF_YEAR}{_NO_AMOUNT}|{_OTHERS} {_DAYS_LAST}{_ENDS}{_NO_AMOUNT})"
)
_BESIDE_VERB: Final = rf"(?:{_DAYS_FIRST} {_VERBS}|{_VERBS} {_DAYS_LAST}{_ENDS}{_NO_AMOUNT})(?!(?:,| of| in)? ?\d{{4}})"
_ALONE: Final = r"(?!(?:,| of| the)? ?\d|-\w|'\w)"
_PART: Final = (
    r"(?:start|beginning|end|middle|rest|month|year|(?:(?:first|second|last) )?(?:half|part|weekend|days?|weeks?)) of "
    r"(?:the year )?"
)
_WITHIN: Final = r"(?:in|during|since|until|till|throughout|around) "
_NEAR: Final = r"(?:early|late|mid)[ -]"
_BEFORE_SECOND: Final = rf"(?={_TO}(?:{_MONTH}|{_DAY}\b|{_YEAR}))"
_LOOSE: Final = "|".join(
    (
        rf"(?:on|since|until|till|by|before|after|from|to) (?:the )?({_BESIDE_VERB})",
        rf"({_BESIDE_VERB})(?= ?(?:[?!.,;:)]|$))",
        rf"(?:{_WITHIN})?(?:the )?(?:{_NEAR}|{_PART})({_CAPITAL_MONTH}|{_YEAR}{_NO_AMOUNT}){_ALONE}",
        rf"{_WITHIN}({_MONTH}|{_YEAR}{_NO_AMOUNT}){_ALONE}",
        rf"(?:from|of|for|before|after|by) ({_NO_NAMES}){_ALONE}",
        rf"(?:from|between) ({_MONTH}|{_YEAR}){_BEFORE_SECOND}",
        rf"(?<!\bthe )(?<!\bat )((?:last|this|past) {_CAPITAL_MONTH}){_ALONE}",
        rf"(?:before|after|from|year) ({_YEAR})(?! to\b){_NO_AMOUNT}",
        rf"(?:spring|summer|autumn|fall|winter|christmas|easter|halloween|thanksgiving)(?:,? | of )({_YEAR})",
    )
)
# A year that is said and not taken for one: "4 July 1776", "31 Dec. 9999", "5 July '76"; but "4 July, 10 people".
_OTHER_YEAR: Final = (
    rf"\.?(?:,? (?:(?:of|in) (?:the year )?)?|, ?)'?\d{{1,5}}(?! (?:of )?{_MONTH}|{_TO}{_DAY} ){_ENDS}{_NO_AMOUNT}"
)
_ABSOLUTE: Final = rf"\b(?:({_SURE})|(?=[abcdefhilmnorstuwy\d])(?:{_LOOSE}))"
_SECOND: Final = rf"(?P<joined>{_TO})(?P<date>{_SURE}|{_CAPITAL_MONTH}|(?<=\bto ){_VERBS}|{_YEAR}{_NO_AMOUNT})"

_AMOUNTS: Final = (
    r"(?P<{0}>\d{{1,3}}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple(?: of)?"
    r"|(?:a )?few|several)"
)
_UNITS: Final = "(?P<{0}>day|week|month|year)"
_ANY_WEEKDAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEKDAYS: Final = rf"(?P<{{0}}>{_ANY_WEEKDAY})\b"
_OWNED: Final = r"(?<!\bthe )(?<!\bat )(?<!\bmy )(?<!\bour )(?<!\bhis )(?<!\bher )(?<!\byour )(?<!\btheir )"
_RELATIVE: Final = (
    r"\b(?=[acdeflnopsty\d])(?:"
    r"(?P<yesterday>(?:day (?P<before>before) )?yesterday|last night)\b"
    rf"|(?P<ago>{_AMOUNTS.format('many')} (?P<unit>hour|day|week|month|year)s? ago)\b"
    rf"|(?P<trailing>(?:last|past) {_AMOUNTS.format('recent')} {_UNITS.format('units')}s?"
    r"|(?:past|the last) (?P<one>week|month|year))\b(?! of\b)"
    rf"|(?P<last>{_OWNED}last (?:(?P<whole>week|month|year|weekend)\b(?! of\b)|{_WEEKDAYS.format('weekday')}))"
    r"|(?P<ahead>(?:today|tonight|this (?:morning|afternoon|evening|(?P<present>week|month|year|weekend))"
    rf"|(?:on|since|this) {_WEEKDAYS.format('named')})\b))"
)
_COUNT_FROM: Final = (
    rf"\b(?:{_AMOUNTS.format('many')}|the|last) (?P<unit>day|night|weekend|week|month|year|{_ANY_WEEKDAY})s?"
    r" (?P<side>before|after)(?: the)? $"
)
_YEARS_BACK: Final = rf"(?:(?P<named>last|this) year|{_AMOUNTS.format('many')} years? ago)\b"
_HINT: Final = (
    r"\b(?=[jfmasondytlp\d])(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\b|january|february|march"
    r"|april|august|september|october|november|december|yesterday|today|tonight|ago\b|last\b|past\b"
    r"|this (?:mor|aft|eve|wee|mon|yea|tue|wed|thu|fri|sat|sun)|(?:on|since) (?:mon|tue|wed|thu|fri|sat|sun)"
    r"|(?:19|20)\d\d|\d\d?[-./]\d\d?[-./]\d)"
)


class Patterns(NamedTuple):
    """What a question is read with; all but `hint` take text in one line with single spaces."""

    absolute: re.Pattern[str]  # its one group that took part is the date
    second: re.Pattern[str]  # what stands behind a date, with another in "date": " to June 2023"
    other_year: re.Pattern[str]  # what stands behind a date without a year and says one that is not believed: " 1776"
    year_behind: re.Pattern[str]  # what stands behind a date and says its year: " of last year"
    year_before: re.Pattern[str]  # what stands before a date and says its year: "last year in "
    relative: re.Pattern[str]  # its groups tell what was said; "ahead" may mean what is to come
    counted: re.Pattern[str]  # what stands before a date: "two weeks before "
    week: re.Pattern[str]  # what stands before a day: "the week of "
    side: re.Pattern[str]  # what stands before a date: "since "
    past: re.Pattern[str]  # the question is about what was


@cache
def hint() -> re.Pattern[str]:
    """Return what matches in the lower case of every text that says when, and of few others."""
    return re.compile(_HINT)


@cache
def patterns() -> Patterns:
    """Return the patterns, made when first asked for."""
    return Patterns(
        absolute=re.compile(_ABSOLUTE, re.IGNORECASE),
        second=re.compile(_SECOND, re.IGNORECASE),
        other_year=re.compile(_OTHER_YEAR, re.IGNORECASE),
        year_behind=re.compile(rf",?(?: of| in)? {_YEARS_BACK}", re.IGNORECASE),
        year_before=re.compile(rf"{_YEARS_BACK}(?:'s|,)?(?: in| on)?(?: the)? $", re.IGNORECASE),
        relative=re.compile(_RELATIVE, re.IGNORECASE),
        counted=re.compile(_COUNT_FROM, re.IGNORECASE),
        week=re.compile(r"\bweek of (?:the )?$", re.IGNORECASE),
        side=re.compile(r"\b(?P<side>since|after|before|until|till|by)(?: the)? $", re.IGNORECASE),
        past=re.compile(r"\b(?:did|was|were|had|have|has|been|'ve)\b", re.IGNORECASE),
    )
