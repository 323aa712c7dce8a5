"""What generated secrets look like: vendors' keys, private keys, tokens, credentials in URLs.

High precision, and linear in the length of the text: a run is bounded, or cannot start inside itself (a look-behind on
its own characters), or is judged after it matched (`accept`); no look-ahead scans ahead.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple


class SecretPattern(NamedTuple):
    """One kind of secret: the group "secret", or else the whole match, when `accept` agrees to the match."""

    kind: str
    hints: tuple[str, ...]  # lower case; a text with none of them holds no such secret
    expression: re.Pattern[str]
    accept: Callable[[re.Match[str]], bool]


def entropy(text: str) -> float:
    """Return the entropy of the text's characters in bits for each (Shannon 1948)."""
    counts = Counter(text).values()
    return math.log2(len(text)) - sum(count * math.log2(count) for count in counts) / len(text)


def mixes_letters_and_digits(text: str) -> bool:
    """Tell whether a text has letters and digits: generated keys do, words and numbers do not."""
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def is_mask(value: str) -> bool:
    """Tell whether a value only stands for a secret: "***", "<password>", "$TOKEN", "{{key}}", "[redacted: …]"."""
    return _MASK.match(value) is not None


_MASK: Final = re.compile(r"[*x.•_?-]+\Z|<|\[redacted|\$[A-Za-z_{(]|\{|%[A-Za-z_]+%\Z", re.IGNORECASE)


def _generated(match: re.Match[str]) -> bool:
    text = match[0]
    return mixes_letters_and_digits(text) and entropy(text) >= 3.0


def _has_key(match: re.Match[str]) -> bool:
    return "-----END" in match[0] or _BASE64.search(match[0]) is not None


def _unmasked(match: re.Match[str]) -> bool:
    return not is_mask(match["secret"])


def _opaque(match: re.Match[str]) -> bool:
    value = match["secret"]
    mixed = value[1:] != value[1:].lower() and value != value.upper()
    return entropy(value) >= 3.0 and (mixed or mixes_letters_and_digits(value))


_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{16}")


def _vendor(kind: str, key: str, *hints: str) -> SecretPattern:
    return SecretPattern(kind, hints, re.compile(f"(?<![A-Za-z0-9])(?:{key})"), _generated)


VENDOR_KEYS: Final = (
    _vendor("AWS access key", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])", "akia", "asia", "abia", "acca"),
    _vendor("GitHub token", "gh[opusr]_[A-Za-z0-9]{36,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _vendor("GitHub token", "github_pat_[A-Za-z0-9_]{22,}", "github_pat_"),
    _vendor("GitLab token", "gl(?:pat|dt|rt|ptt|ft|soat|agent|cbt|oas)-[A-Za-z0-9_-]{20,}", "gl"),
    _vendor("Stripe key", "(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}", "k_live_", "k_test_", "whsec_"),
    _vendor("API key", "sk-[A-Za-z0-9_-]{20,}", "sk-"),
    _vendor("Slack token", "(?:xox[abeoprs]-|xapp-)[A-Za-z0-9-]{10,}", "xox", "xapp-"),
    _vendor("Google API key", "AIza[A-Za-z0-9_-]{35,}", "aiza"),
    _vendor("Google OAuth secret", "(?:GOCSPX-|ya29\\.)[A-Za-z0-9_-]{20,}", "gocspx-", "ya29."),
    _vendor("npm token", "npm_[A-Za-z0-9]{36,}", "npm_"),
    _vendor("package index token", "pypi-[A-Za-z0-9_-]{50,}", "pypi-"),
    _vendor("Hugging Face token", "(?:hf_|api_org_)[A-Za-z0-9]{30,}", "hf_", "api_org_"),
    _vendor("SendGrid key", "SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}", "sg."),
    _vendor("DigitalOcean token", "do[opr]_v1_[a-f0-9]{40,}", "_v1_"),
    _vendor("Telegram bot token", "[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}", ":aa"),
)

STRUCTURED_KEYS: Final = (
    SecretPattern(
        "private key",
        ("-----begin",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|.*)",
            re.DOTALL,
        ),
        _has_key,
    ),
    SecretPattern(
        "JSON Web Token",
        ("eyj",),
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}"),
        _generated,
    ),
    SecretPattern(
        "bearer token",
        ("bearer", "authorization"),
        re.compile(
            r"(?:\bbearer\s{1,4}|authorization['\"]?\s{0,4}[:=]\s{0,4}['\"]?(?:basic|token|apikey)\s{1,4})"
            r"(?P<secret>[A-Za-z0-9._~+/=-]{12,})",
            re.IGNORECASE,
        ),
        _opaque,
    ),
    SecretPattern(
        "credentials in a URL",
        ("://",),
        re.compile(r"://[^\s/:@?#\"'<>]{0,200}:(?P<secret>[^\s/@\"'<>]{1,500})@(?=[^\s/@])"),
        _unmasked,
    ),
)
