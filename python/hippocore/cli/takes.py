"""A group of options written once, as the parameters of a function, and taken by several commands."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

Function = Callable[..., Any]


def takes(**groups: Function) -> Callable[[Function], Function]:
    """Return a decorator: each named argument of the command is made by its group from options of its own.

    `@takes(filters=filters)` replaces the parameter `filters` in what typer sees by the parameters of the
    function `filters`, and calls the command with the function's result.
    """

    def decorate(command: Function) -> Function:
        own = _parameters(command)
        shown = {name: parameter for name, parameter in own.items() if name not in groups}
        parts = {name: _parameters(group) for name, group in groups.items()}
        for part in parts.values():
            shown.update(part)

        @functools.wraps(command)
        def run(**given: Any) -> Any:
            made = {name: groups[name](**{option: given[option] for option in part}) for name, part in parts.items()}
            return command(**{name: given[name] for name in own if name not in groups}, **made)

        signature = inspect.Signature(sorted(shown.values(), key=lambda parameter: parameter.name == "context"))
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {name: parameter.annotation for name, parameter in shown.items()}
        del run.__wrapped__
        return run

    return decorate


def _parameters(function: Function) -> dict[str, inspect.Parameter]:
    """Return the parameters, keyword-only, with their annotations as objects."""
    hints = get_type_hints(function, include_extras=True)
    return {
        name: parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, parameter in inspect.signature(function).parameters.items()
    }
