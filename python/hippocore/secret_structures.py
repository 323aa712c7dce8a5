"""Secrets with a form of their own: private keys, JSON Web Tokens, headers, cookies, signed and credentialed URLs."""

from __future__ import annotations

import re
from typing import Final

from hippocore.secret_patterns import (
    SecretPattern,
    always,
    entropy,
    generated,
    mixes_letters_and_digits,
    opaque,
)
from hippocore.secret_words import is_mask

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{16}")
_COOKIE_VALUE: Final = re.compile(r"=([A-Za-z0-9%._~+/-]{16,})(?:[;=\s]|\Z)")
# What examples write where the password would stand.
_EXAMPLE_USERS: Final = frozenset({"user", "username", "your_user"})
_PLACEHOLDERS: Final = frozenset({"password", "passwd", "your_password", "yourpassword", "pwd", "secret"})


def _has_key(match: re.Match[str]) -> bool:
    return _BASE64.search(match[0]) is not None


def _has_opaque_value(match: re.Match[str]) -> bool:
    return any(
        mixes_letters_and_digits(value) and entropy(value) >= 3.0 for value in _COOKIE_VALUE.findall(match["secret"])
    )


def _is_password(match: re.Match[str]) -> bool:
    user, password = match["user"].lower(), match["secret"].lower()
    if is_mask(password) or password in _PLACEHOLDERS:
        return False
    return user not in _EXAMPLE_USERS or password != "pass"


_PEM: Final = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|.*)"
)
# The lines of a file, or of a string in which line ends are written as escapes.
_PUTTY: Final = r"Private-Lines: ?[0-9]{1,4}(?P<secret>(?:(?:\\[rn]|\s){1,4}(?!Private)[A-Za-z0-9+/=]{1,80}){1,400})"
_JWT: Final = r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}"
_HEADER: Final = (
    r"(?:\bbearer\s{1,4}|authorization['\"]?\s{0,4}[:=]\s{0,4}['\"]?(?:basic|token|apikey|digest)\s{1,4})"
    r"(?P<secret>[A-Za-z0-9._~+/=-]{12,})"
)
_COOKIE: Final = r"cookie['\"]?\s?[:=]\s?['\"]?(?P<secret>[\w.$-]{1,64}=[^\r\n'\"]{8,4096})"
_USER_AND_PASSWORD: Final = r"://(?P<user>[^\s/:@?#\"'<>\[]{0,200}):(?P<secret>[^\s/@\"'<>]{1,500})@(?=[^\s/@])"
_SIGNATURE: Final = (
    r"[?&;](?:sig=(?P<secret>[A-Za-z0-9%+/=_-]{40,})"
    r"|x-(?:amz|goog)-(?:signature|security-token)=[A-Za-z0-9%+/=_-]{40,})"
)

STRUCTURED_KEYS: Final = (
    SecretPattern("private key", ("-----begin",), _PEM, _has_key, re.DOTALL),
    SecretPattern("private key", ("private-lines:",), _PUTTY, always),
    SecretPattern("JSON Web Token", ("eyj",), _JWT, generated),
    SecretPattern("bearer token", ("bearer", "authorization"), _HEADER, opaque, re.IGNORECASE, "bearer|authorization"),
    SecretPattern("cookie", ("cookie",), _COOKIE, _has_opaque_value, re.IGNORECASE, "cookie"),
    SecretPattern("credentials in a URL", ("://",), _USER_AND_PASSWORD, _is_password),
    SecretPattern(
        "signature in a URL", ("sig=", "x-amz-", "x-goog-"), _SIGNATURE, generated, re.IGNORECASE, "[?&;](?:sig|x-)"
    ),
)
