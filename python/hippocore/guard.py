"""The guard at the door: what is refused or redacted, what untrusted memories are worth, what waits for a person.

A reason names the kind of a secret and never shows any of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hippocore.arguments import checked_choice, checked_fraction
from hippocore.deferred import Deferred

if TYPE_CHECKING:
    from hippocore import injection, prompt, secret_search
    from hippocore.stores import protocol
else:
    injection = Deferred("hippocore.injection")
    prompt = Deferred("hippocore.prompt")
    secret_search = Deferred("hippocore.secret_search")
    protocol = Deferred("hippocore.stores.protocol")


class Screened(NamedTuple):
    """What the guard made of a content; its repr shows none of it.

    `content` is what may be stored: as it was given, or with its secrets replaced by "[redacted: kind]". `reason` says
    what was found, None when nothing was. `refused`: nothing may be stored.
    """

    content: Any
    reason: str | None
    refused: bool

    def __repr__(self) -> str:
        return f"Screened(reason={self.reason!r}, refused={self.refused})"


@dataclass(frozen=True, slots=True)
class Guard:
    """What may enter a store, and what the prompt block's delimiter is.

    secrets: "refuse" stores nothing of a memory that holds a secret, "redact" replaces each by "[redacted: kind]",
    "allow" does not look. Looked at are content, source, tags and metadata, keys and nested values included, before
    anything is embedded or written. A scope, kind, id or link that holds one is refused in both cases: it would no
    longer be found by what it says. Secrets are: keys by their vendors' prefixes, private keys, JSON Web Tokens,
    authorization and cookie headers, credentials and signatures in URLs, what a password, key or token is said to be,
    and random characters after such a word. High precision comes first: a bare word after "my password is", a key of
    an unknown vendor without a word beside it, and what is encoded or spelled out are not found.
    on_refused: "skip" gives the action "skipped" with the reason, "raise" raises SecretRefused.
    min_importance: what is remembered with less is skipped (0 to 1).
    untrusted_importance: the most that an untrusted memory's importance can be (0 to 1), whichever verb sets it.
    quarantine: what waits for `release` instead of taking part: "suspicious" is what is not trusted and reads like an
    instruction to a model or hides something (see `suspicion`), "untrusted" that and all that is untrusted, "never"
    nothing. What is trusted never waits.
    delimiter: of the prompt block; random for each block unless given.
    Raises ValueError or TypeError for other values.
    """

    secrets: Literal["refuse", "redact", "allow"] = "refuse"
    on_refused: Literal["skip", "raise"] = "skip"
    min_importance: float = 0.0
    untrusted_importance: float = 0.3
    delimiter: str | None = None
    quarantine: Literal["suspicious", "untrusted", "never"] = "suspicious"

    def __post_init__(self) -> None:
        checked_choice(self.secrets, "secrets", ("refuse", "redact", "allow"))
        checked_choice(self.on_refused, "on_refused", ("skip", "raise"))
        checked_fraction(self.min_importance, "min_importance")
        checked_fraction(self.untrusted_importance, "untrusted_importance")
        checked_choice(self.quarantine, "quarantine", ("suspicious", "untrusted", "never"))
        if self.delimiter is not None:
            prompt.check_delimiter(self.delimiter)

    def screen(self, content: str) -> Screened:
        """Look for secrets in a text; linear in its length."""
        if self.secrets == "allow" or not (found := secret_search.find_secrets(content)):
            return Screened(content, None, False)
        if self.secrets == "refuse":
            return Screened(content, _reason(found), True)
        return Screened(secret_search.redacted(content, found), _reason(found), False)

    def screen_all(self, value: Any) -> Screened:
        """Look for secrets in every string of a JSON value, keys included; `content` is the value, redacted if asked.

        A string or whole number is also read as the value of its key, so that {"password": "hunter2"} is found, and
        {"name": "DB_PASSWORD", "value": "hunter2"}.
        """
        if self.secrets == "allow":
            return Screened(value, None, False)
        reasons: dict[str, None] = {}
        clean = _screened(value, "", reasons)
        if not reasons:
            return Screened(value, None, False)
        refused = self.secrets == "refuse"
        return Screened(value if refused else clean, "; ".join(reasons), refused)

    def refusal_of_names(self, **names: str | Iterable[str] | None) -> str | None:
        """Return why a memory with these names, by what they are, cannot be stored; None where it can.

        Names are what a memory is found by: its scope, kind, id, links. They are refused even to be redacted.
        """
        if self.secrets == "allow":
            return None
        for what, said in names.items():
            if not said:
                continue
            for name in (said,) if isinstance(said, str) else said:
                if reason := _reason_against(name):
                    return f"{reason} in its {what}, which cannot be redacted"
        return None

    def suspicion(self, value: Any) -> str | None:
        """Return what in the strings of a JSON value speaks to a model or hides something; None where nothing does.

        A sieve of known wordings with few false alarms, not a proof: what it lets through can still be an attack.
        """
        return injection.find_injection(value)

    def capped(self, importance: float, trust: int) -> float:
        """Return the importance that a memory of that trust (the store's number) may have."""
        return min(importance, self.untrusted_importance) if trust == protocol.TRUST["untrusted"] else importance

    def reason_to_wait(self, trust: int, said: Any) -> str | None:
        """Return why what a memory of that trust says must wait, never showing it; None when it must not."""
        if trust == protocol.TRUST["trusted"] or self.quarantine == "never":
            return None
        if (reason := injection.find_injection(said)) is not None:
            return f"it {reason}"
        return "it is untrusted" if self.quarantine == "untrusted" and trust == protocol.TRUST["untrusted"] else None


@lru_cache(maxsize=1024)
def _reason_against(name: str) -> str | None:
    found = secret_search.find_secrets(name)
    return _reason(found) if found else None


def _reason(found: Iterable[secret_search.Secret]) -> str:
    return f"holds a secret ({', '.join(dict.fromkeys(secret.kind for secret in found))})"


def _screened(value: Any, key: str, reasons: dict[str, None]) -> Any:
    """Return the value without its secrets, and add to the reasons what was found."""
    if isinstance(value, str):
        return _screened_text(value, key, reasons)
    if isinstance(value, Mapping):
        named = value.get("name", value.get("key"))
        value_key = named if isinstance(named, str) else "value"
        return dict(_screened_item(name, inner, value_key, reasons) for name, inner in value.items())
    if isinstance(value, (list, tuple)):
        return [_screened(inner, key, reasons) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool):
        clean = _screened_text(str(value), key, reasons)
        return value if clean == str(value) else clean
    return value


def _screened_item(name: str, inner: Any, value_key: str, reasons: dict[str, None]) -> tuple[str, Any]:
    clean = _screened_text(name, "", reasons)
    key = value_key if name == "value" else name
    return clean, _screened(inner, key if clean == name else "", reasons)


def _screened_text(text: str, key: str, reasons: dict[str, None]) -> str:
    before = len(key) + 1 if key else 0
    found = [
        secret._replace(start=max(secret.start - before, 0), end=secret.end - before)
        for secret in secret_search.find_secrets(f"{key}={text}" if key else text)
        if secret.end > before
    ]
    if not found:
        return text
    reasons[_reason(found)] = None
    return secret_search.redacted(text, found)
