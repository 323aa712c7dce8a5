"""Turns and statements: what passed between a user and an agent, and what of it may be worth remembering."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from hippocore.arguments import checked_content, checked_text

Speaker = Literal["user", "assistant", "tool"]

LONGEST: Final = 400
"""Characters of a statement: more is a document, which nobody says in one sentence."""
MOST: Final = 12
"""Statements of one turn; of more the most important are kept."""

_DOCUMENT: Final = 1_200


class ToolCall(NamedTuple):
    """What a tool was called and what it gave back, as text. Its repr shows neither arguments nor result."""

    name: str
    result: str

    def __repr__(self) -> str:
        return f"ToolCall({self.name!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Turn:
    """One turn of a conversation; `user` is the name that what the user says of themselves is kept under.

    tool_calls: mappings with the tool's "name" and, where it gave one, its "result": a text, or a JSON value, which is
    written as JSON. What else they hold is not looked at. Raises TypeError or ValueError for anything else.
    """

    user_message: str
    reply: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    user: str = "User"

    def __post_init__(self) -> None:
        for name in ("user_message", "reply"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be a string, not {type(getattr(self, name)).__name__}")
        checked_content(self.user, "user")
        object.__setattr__(self, "tool_calls", checked_tool_calls(self.tool_calls))

    def __repr__(self) -> str:
        return f"Turn(tool_calls={len(self.tool_calls)})"

    def texts(self) -> list[tuple[Speaker, str, str]]:
        """Return who speaks, under which name, and what is said, in order."""
        tools: list[tuple[Speaker, str, str]] = [("tool", call.name, call.result) for call in self.tool_calls]
        return [("user", self.user, self.user_message), *tools, ("assistant", "Assistant", self.reply)]


@dataclass(frozen=True, slots=True, repr=False)
class Statement:
    """One sentence that can be understood alone: its kind, its importance (0..1), and who said it.

    `said_by` is the least trusted of those whose words it takes: "user", "assistant" or "tool". No repr shows content.
    """

    content: str
    kind: str
    importance: float
    said_by: Speaker

    def __repr__(self) -> str:
        return f"Statement(kind={self.kind!r}, importance={self.importance:.3g}, said_by={self.said_by!r})"


def is_document(text: str) -> bool:
    """Whether a message is so long that most of it is quoted or pasted, and its sentences are not about the speaker."""
    return len(text) > _DOCUMENT


def most_important(statements: Iterable[Statement], most: int = MOST) -> list[Statement]:
    """Return the most important statements, in the order in which they were said, without repeats."""
    said = list({statement.content: statement for statement in statements}.values())
    best = sorted(range(len(said)), key=lambda i: -said[i].importance)[:most]
    return [said[i] for i in sorted(best)]


def checked_tool_calls(calls: Any) -> tuple[ToolCall, ...]:
    """Return the calls as names and texts; an error names the call by its position."""
    if isinstance(calls, (str, bytes, Mapping)) or not isinstance(calls, Iterable):
        raise TypeError(f"tool_calls must be a list of mappings, not {type(calls).__name__}")
    return tuple(_checked_call(position, call) for position, call in enumerate(calls))


def _checked_call(position: int, call: Any) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    if not isinstance(call, Mapping):
        raise TypeError(f"tool call {position} must be a mapping with name and result, not {type(call).__name__}")
    if call.get("name") is None:
        raise TypeError(
            f'tool call {position} has no "name": it must be a mapping with the tool\'s "name" and "result"'
        )
    name = checked_text(call["name"], f"the name of tool call {position}")
    result = call.get("result")
    if result is None or isinstance(result, str):
        return ToolCall(name, result or "")
    try:
        return ToolCall(name, json.dumps(result, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):  # its message may show the value
        raise TypeError(f"the result of tool call {position} must be a text or a JSON value") from None
