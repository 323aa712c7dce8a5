"""The words that secrets stand after, and the values that only stand for one. Words match texts in lower case."""

import re
from typing import Final

PASSWORD_WORD: Final = (
    r"(?:pass(?:word|wd|phrase|code)|passwort|kennwort|contraseña|senha|mot de passe|парол[ьяю]|密码|密碼|パスワード"
    r"|비밀번호|(?<![a-z])(?:pwd|pass|pw))"
)
NAMED_KEY: Final = (
    r"(?:(?:api|app|application|access|account|admin|auth|client|consumer|decryption|encryption|hmac|host|ingest|license"
    r"|master|private|secret|service|session|shared|signing|storage|subscription|webhook)[ _-]?key(?:[ _-]data)?)"
)
TOKEN: Final = r"(?:(?<!public[ _-]key)(?<!publickey)token|secret|credentials?)"
LOOSE_KEY: Final = r"(?<![a-z])(?<!public[ _-])(?:key|auth|authorization|signature)"
KEY_WORD: Final = f"(?:{NAMED_KEY}|{TOKEN})"
PASSWORD_HINTS: Final = "pass pw kennwort contraseña senha парол 密码 密碼 パスワード 비밀번호"
TOKEN_HINTS: Final = "token secret credential"

# Values that are words about a secret.
_WORDS_ABOUT_SECRETS: Final = """
blank bool boolean bytes changed changeme correct default empty encrypted example expired false field forgotten hashed
hidden incorrect invalid leaked lost masked maybe missing never nil none nothing null number object okay optional
passcode passphrase passwd password passwords placeholder please private public read redacted required reset rotated
secret secrets secure stolen strength string strong text thanks token tokens true undefined unique unknown updated user
username valid value weak wrong
"""
_WORDS: Final = frozenset(_WORDS_ABOUT_SECRETS.split())
# Something computed: a call, an index, an attribute, a path or an address.
_EXPRESSION: Final = re.compile(r"[A-Za-z_][\w.]*[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z|[a-z]+://|[~.]{0,2}/|[(\[]")
_PARTS: Final = re.compile("[./+=]")
_NUMBERS: Final = re.compile("[0-9]+")
_MASK: Final = re.compile(r"[*x.•_?-]+\Z|<|\[redacted|\$[A-Za-z_{(]|\{|%[A-Za-z_]+%\Z|%[(sdr]", re.IGNORECASE)


def is_mask(value: str) -> bool:
    """Tell whether a value only stands for a secret: "***", "<password>", "$TOKEN", "{{key}}", "[redacted: …]"."""
    return _MASK.match(value) is not None


def is_placeholder(value: str) -> bool:
    """Tell whether a value is a mask or a word about secrets, as in "the password is wrong"."""
    return is_mask(value) or value.lower().strip("<>()[]{}") in _WORDS


def stands_for_something(value: str) -> bool:
    """Tell whether a value is a placeholder or what a program or a shell computes."""
    return is_placeholder(value) or is_expression(value)


def is_expression(value: str) -> bool:
    """Tell what is computed from keys with dots or slashes in them, of which a part is long and full of digits."""
    if _EXPRESSION.match(value) is None:
        return False
    return not any(
        len(part) >= 16 and part.isalnum() and len(_NUMBERS.findall(part)) >= 3 for part in _PARTS.split(value)
    )
