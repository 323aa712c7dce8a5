"""Made-up secrets in the shapes that vendors document, inside texts as people and programs write them.

The guard's tests and `bench/guard.py` share them. Everything is drawn from a seed, so that no literal of this file is a
key, not even a made-up one.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
from collections.abc import Iterator
from typing import NamedTuple

from tests.fabricated_shapes import (
    BLOCK_CONTEXTS,
    EVIDENT,
    EVIDENT_CONTEXTS,
    LATER_CONTEXTS,
    NAMED,
    NAMED_CONTEXTS,
    PASSWORD_CONTEXTS,
    UNKNOWN,
    UNKNOWN_CONTEXTS,
)

_ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "u": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "a": string.ascii_lowercase + string.digits,
    "A": string.ascii_uppercase + string.digits,
    "T": string.ascii_uppercase + "234567",
    "l": string.ascii_letters,
    "h": "0123456789abcdef",
    "d": string.digits,
    "k": "qpzry9x8gf2tvdw0s3jn54khce6mua7l".upper(),
}
_PLACE = re.compile(r"<(\w)(\d+)>")

_NAMES = ("Sunny", "tiger", "Berlin", "maple", "Orchid", "falcon", "Coffee", "river")


class Fabricated(NamedTuple):
    """A text with a secret in it: whose key it is, the kind of text, the text, and the secret."""

    kind: str
    context: str
    text: str
    secret: str


def evident_keys(seed: int) -> Iterator[Fabricated]:
    """Yield keys that show what they are, each shape in each kind of text."""
    chance = random.Random(seed)
    for kind, shapes in EVIDENT.items():
        for shape in shapes:
            for context, text in EVIDENT_CONTEXTS.items():
                key = filled(shape, chance)
                yield Fabricated(kind, context, text.format(key), key)


def named_keys(seed: int) -> Iterator[Fabricated]:
    """Yield keys that only their name gives away."""
    chance = random.Random(seed)
    for kind, names in NAMED.items():
        for name, said, shape in names:
            for context, text in NAMED_CONTEXTS.items():
                key = filled(shape, chance)
                yield Fabricated(kind, context, text.format(name=name, said=said, key=key), key)


def unknown_keys(seed: int) -> Iterator[Fabricated]:
    """Yield keys of vendors that the guard does not know, beside a word that gives them away, and without one."""
    chance = random.Random(seed)
    for kind, shape in UNKNOWN.items():
        for context, text in UNKNOWN_CONTEXTS.items():
            key = filled(shape, chance)
            yield Fabricated(kind, context, text.format(key), key)


def passwords(seed: int, contexts: dict[str, str]) -> Iterator[Fabricated]:
    """Yield passwords: a name with digits, one with a symbol, and a generated one, in each kind of text."""
    chance = random.Random(seed)
    for context, text in contexts.items():
        for shape in ("name<d2>", "name<d4>!", "<w12>", "<w5>!<w4>$<w3>"):
            password = filled(shape.replace("name", chance.choice(_NAMES)), chance)
            yield Fabricated("password", context, text.format(password), password)


def key_blocks(seed: int) -> Iterator[Fabricated]:
    """Yield private keys of several lines, and connection strings."""
    chance = random.Random(seed)
    for kind, block in _blocks(chance).items():
        for context, text in BLOCK_CONTEXTS.items():
            secret = max(re.findall(r"[A-Za-z0-9+/%_-]{20,}", block), key=len)
            yield Fabricated(kind, context, text.format(block, json=json.dumps(block)), secret)


def all_fabricated(seed: int) -> dict[str, list[Fabricated]]:
    """Return every list under the name that reports give it."""
    return {
        "keys with a shape": list(evident_keys(seed)),
        "keys with a name": list(named_keys(seed)),
        "passwords": list(passwords(seed, PASSWORD_CONTEXTS)),
        "passwords in later kinds of text": list(passwords(seed, LATER_CONTEXTS)),
        "blocks": list(key_blocks(seed)),
        "unknown vendors": list(unknown_keys(seed)),
    }


def filled(shape: str, chance: random.Random) -> str:
    """Return a shape with random characters in its places.

    `<g>` is a UUID, `<bot>` the base64 of a Discord account's number, `<jwt>` a JSON Web Token.
    """
    shape = shape.replace("<g>", "<h8>-<h4>-4<h3>-a<h3>-<h12>")
    if "<bot>" in shape:
        account = chance.randrange(10**17, 10**19)
        shape = shape.replace("<bot>", base64.b64encode(str(account).encode()).decode().rstrip("="))
    if shape == "<jwt>":
        head, body = ({"alg": "HS256", "typ": "JWT"}, {"sub": str(chance.randrange(10**9)), "iat": 1516239022})
        parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, body)]
        shape = ".".join([*parts, "<u43>"])
    return _PLACE.sub(lambda place: _drawn(place[1], int(place[2]), chance), shape)


def _drawn(alphabet: str, count: int, chance: random.Random) -> str:
    """Return characters of which at least one is a digit where the alphabet has digits, as in nearly all real keys."""
    characters = _ALPHABETS[alphabet]
    drawn = [chance.choice(characters) for _ in range(count)]
    # A sentence's full stop or a quote must not be mistaken for the key's end, so it ends in a letter or digit.
    drawn[-1] = chance.choice([one for one in characters if one.isalnum()])
    digits = [one for one in characters if one.isdigit()]
    if digits and count > 4 and not any(one in digits for one in drawn):
        drawn[1] = chance.choice(digits)
    return "".join(drawn)


def _blocks(chance: random.Random) -> dict[str, str]:
    def pem(label: str, before: str = "") -> str:
        lines = "\n".join(filled("<b64>", chance) for _ in range(6))
        return f"-----BEGIN {label}-----\n{before}{lines}\n-----END {label}-----"

    account = {
        "type": "service_account",
        "project_id": "acme",
        "private_key_id": filled("<h40>", chance),
        "private_key": pem("PRIVATE KEY") + "\n",
        "client_email": "ci@acme.iam.gserviceaccount.com",
    }
    putty = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: bob\nPublic-Lines: 1\n" + filled(
        "<b40>\nPrivate-Lines: 2\n<b64>\n<b64>\nPrivate-MAC: <h64>", chance
    )
    azure = filled("AccountName=acme;AccountKey=<b86>==;EndpointSuffix=core.windows.net", chance)
    bus = filled("Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<b43>=", chance)
    signed = filled("https://acme.blob.core.windows.net/x?sv=2022-11-02&se=2025-01-01&sp=r&sig=<w40>%2B<w3>%3D", chance)
    presigned = filled("https://acme.s3.amazonaws.com/x?X-Amz-Expires=300&X-Amz-Signature=<h64>", chance)
    return {
        "RSA key": pem("RSA PRIVATE KEY"),
        "PKCS#8 key": pem("ENCRYPTED PRIVATE KEY"),
        "EC key": pem("EC PRIVATE KEY"),
        "OpenSSH key": pem("OPENSSH PRIVATE KEY"),
        "PGP key": pem("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n"),
        "PuTTY key": putty,
        "GCP service account": json.dumps(account, indent=2),
        "Azure connection string": azure,
        "Azure Service Bus": bus,
        "Azure SAS": signed,
        "AWS signed URL": presigned,
        "cookie": filled("Set-Cookie: sessionid=<a32>; HttpOnly; Secure", chance),
        "Basic auth": filled("Authorization: Basic <b28>", chance),
        "X-Api-Key": filled("X-Api-Key: <h32>", chance),
        "kubeconfig": filled("users:\n- name: admin\n  user:\n    client-key-data: <b200>==", chance),
        ".npmrc": filled("//registry.example.com/:_authToken=<g>", chance),
        "Docker config": filled('"auths": {"registry.example.com": {"auth": "<b40>"}}', chance),
    }  # fmt: skip
