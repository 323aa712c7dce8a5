"""Deferred imports: a module under its name that is imported when something of it is first asked for.

The layer names the module of every verb, and opening a store uses few of them: nobody waits for the others. Stands
beside the import under TYPE_CHECKING, which is what type checkers see; annotations can still be resolved at run time.
A library that one function needs is imported in that function instead.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Deferred:
    """Stands for a module and has its attributes; each is looked up there once."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._module), name)
        setattr(self, name, value)
        return value

    def __repr__(self) -> str:
        return f"Deferred({self._module!r})"
