"""Secrets after a word without a sign between: `password hunter2`, `--token …`, `curl -u bob:…`, .netrc, .pgpass, XML.

Without a sign the value must show by itself that it is no word of the sentence.
"""

from __future__ import annotations

import re
from typing import Final

from hippocore.secret_patterns import Judge, SecretPattern, compiled, looks_random, mixes_letters_and_digits
from hippocore.secret_words import KEY_WORD, PASSWORD_WORD, stands_for_something

# What has letters and digits and is no password: standards, types, numbered things ("SHA256", "field2", "PR1234").
_NUMBERED: Final = (
    r"[A-Z]{2,10}[-_]?[0-9][0-9.]*\Z|(?i:(?:sha|md|utf|base|aes|argon|oauth|pbkdf|http|ipv)[-_]?[0-9]+[a-z]*"
    r"|(?:[a-z]+[-_])?(?:u?int|(?:var)?char|bytes|float|str|string|text|hash|windows|win|python|py|version|ver|user|test"
    r"|step|part|field|input|line|page|level|option|rule|day|week|chapter|section|round|number|manager|password|api"
    r"|[a-z])[-_]?[0-9][0-9.]*[a-z]?)\Z"
)
_EMAIL: Final = re.compile(r"[^@\s]+@[\w-]+(?:\.[\w-]+)+\Z")
_BEFORE: Final = 200
_SHORTLY_BEFORE: Final = 60
_DIGEST: Final = re.compile(r"(?:md5|sha[0-9]{1,3})[=-]", re.IGNORECASE)
_WORD: Final = rf"(?:{PASSWORD_WORD}|{KEY_WORD})s?\b[^/\\]*\Z"
_LABEL: Final = re.compile(r"\[redacted: [^\]]*\]?")
_SYMBOL: Final = re.compile(r"[^\w\s.,'’/()-]")


def _shown(value: str) -> str:
    return value.rstrip(".,;:!?)]}>'\"`")


def _is_chosen(match: re.Match[str]) -> bool:
    """Judge a password in a sentence: a word with digits at its end or inside, and none of the numbered things."""
    value = _shown(match["secret"])
    if len(value) < 6 or not mixes_letters_and_digits(value) or stands_for_something(value):
        return False
    if compiled(_NUMBERED).match(value) or _EMAIL.match(value) or "/" in value or "=" in value:
        return False
    return value[0].isalpha() or (len(value) >= 8 and value.lower() != value)


def _is_typed(match: re.Match[str]) -> bool:
    """Judge what a command line passes: not a name that stands for it."""
    value = _shown(match["secret"])
    if len(value) < 4 or stands_for_something(value):
        return False
    return mixes_letters_and_digits(value) or _SYMBOL.search(value) is not None


def _is_entered(match: re.Match[str]) -> bool:
    """Judge the password of a login, which may be a word."""
    value = match["secret"]
    return len(value) >= 4 and any(map(str.isalnum, value)) and not stands_for_something(value)


def _is_typed_at(*commands: str) -> Judge:
    def accept(match: re.Match[str]) -> bool:
        before = match.string[max(0, match.start() - _BEFORE) : match.start()].rpartition("\n")[2]
        return any(command in before for command in commands) and _is_typed(match)

    return accept


def _is_random(match: re.Match[str]) -> bool:
    """Judge a run by its characters, and by what its line says shortly before it, unless that is an address."""
    if not looks_random(match["secret"]) or _DIGEST.match(match["secret"]):
        return False
    before = match.string[max(0, match.start() - _SHORTLY_BEFORE) : match.start()].rpartition("\n")[2]
    return compiled(_WORD, re.IGNORECASE).search(_LABEL.sub("", before)) is not None


def _is_element(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not stands_for_something(value) and _is_typed(match)


_BARE: Final = r"[\"'`]?(?P<secret>[^\s\"'`,;<，；、。]{4,200})"
_MENTIONED: Final = r"(?:password|passwd|passphrase|passcode|pwd|pw|passwort|kennwort|contraseña|senha|mot de passe)\s"
_MENTIONED_HINTS: Final = "passw passp passc pw kennwort contraseña senha mot"
_OF_SOMETHING: Final = rf"(?<![\w-]){_MENTIONED}(?:[^\n.,;:]{{1,40}}?\s)?(?:is|was|to)\s{{1,3}}{_BARE}"
_SAID_BEFORE: Final = (
    r"(?<!\S)[\"'`]?(?P<secret>[^\s\"'`]{6,64})[\"'`]?\s(?:is|as)\s(?:the|my|your|our)\s(?:[\w-]{1,20}\s){0,2}?"
    r"(?:password|passphrase|passcode)"
)
_IN_SQL: Final = r"identified\s{1,3}by\s{1,3}[\"'](?P<secret>[^\"'\n]{4,200})"
_OPTION: Final = rf"(?<!\S)--[a-z-]{{0,30}}?(?:password|passwd|passphrase|{KEY_WORD})\s{{1,3}}{_BARE}"
_USER_OPTION: Final = r"(?<!\S)(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"']{1,200})"
_PASSWORD_OPTION: Final = rf"(?<!\S)-p[ =]?{_BARE}"
_NETRC: Final = r"\blogin\s{1,8}\S{1,200}\s{1,8}(?:account\s{1,8}\S{1,200}\s{1,8})?password\s{1,8}(?P<secret>\S{1,500})"
_PGPASS: Final = (
    r"(?m:^)(?:\*|localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):(?:\*|543[0-9]|6432):[\w*-]{1,63}:[\w*-]{1,63}"
    r":(?P<secret>\S{4,500})(?m:$)"
)
_ELEMENT: Final = (
    rf"<[\w:.-]{{0,40}}?(?:{PASSWORD_WORD}|{KEY_WORD})[\w.-]{{0,20}}(?:\s[^<>]{{0,100}})?>"
    r"(?P<secret>[^<>\s]{4,500})</"
)
# `<add name="PASSWORD" value="…"/>`, `{"name": "PASSWORD", "value": "…"}`, and the same in two lines of YAML.
_NAME: Final = r"(?:name|key|id)[\"']?\s?[=:]"
_ATTRIBUTE: Final = (
    rf"{_NAME}\s?[\"']?[\w:. -]{{0,40}}?(?:{PASSWORD_WORD}|{KEY_WORD})[\"']?,?\s{{1,20}}"
    r"[\"']?(?:value|content)[\"']?\s?[=:]\s?[\"']?(?P<secret>[^\s\"'<>]{4,500})"
)
_RANDOM_RUN: Final = r"(?<![A-Za-z0-9_+=/.-])(?P<secret>[A-Za-z0-9_+=-]{24,200})"


def _mention(kind: str, hints: str, source: str, accept: Judge, beginnings: str = "") -> SecretPattern:
    return SecretPattern(kind, tuple(hints.split()), source, accept, re.IGNORECASE, beginnings)


MENTIONS: Final = (
    _mention(
        "password", "passw passp passc pw kennwort contraseña senha mot", _MENTIONED + _BARE, _is_chosen, _MENTIONED
    ),
    _mention("password", _MENTIONED_HINTS, _OF_SOMETHING, _is_chosen, _MENTIONED),
    _mention("password", "passw passp passc", _SAID_BEFORE, _is_chosen),
    _mention("password", "identified", _IN_SQL, _is_entered, "identified"),
    _mention("key or token", "--", _OPTION, _is_typed, r"(?<!\S)--"),
    _mention("password", "curl", _USER_OPTION, _is_typed_at("curl"), r"(?<!\S)-(?:u|-user|-proxy-user)"),
    _mention(
        "password", "login sshpass mysql", _PASSWORD_OPTION, _is_typed_at("login", "sshpass", "mysql"), r"(?<!\S)-p"
    ),
    _mention("password", "login", _NETRC, _is_entered, "login"),
    _mention("password or key", "</", _ELEMENT, _is_element, "<"),
    _mention("password or key", "value content", _ATTRIBUTE, _is_element, _NAME),
)
# For the long runs of a text; the words before a run are looked at only where it is random.
IN_LONG_RUNS: Final = (
    _mention("password", ":54 :6432: :*:", _PGPASS, _is_typed),
    SecretPattern("key or token", ("",), _RANDOM_RUN, _is_random),
)
