"""The command line on a hostile store: what it prints commands no terminal, whatever was stored."""

from __future__ import annotations

import json
import unicodedata

import msgpack
import pytest
from typer.testing import CliRunner

from hippocore.cli.app import app
from hippocore.embedders.local import LOCAL_NAME
from tests.python.strangers import raw_store
from tests.python.strangers.raw_store import Version, key, make_store

ATTACKS = {
    "clears the screen": "\x1b[2J\x1b[H",
    "writes the clipboard": "\x1b]52;c;cm0gLXJmIH4=\x07",
    "writes the clipboard, by one byte": "\x9d52;c;cm0gLXJmIH4=\x9c",
    "sets the title": "\x1b]0;root@host\x1b\\",
    "hides a link": "\x1b]8;;http://example.invalid\x1b\\harmless\x1b]8;;\x1b\\",
    "goes back over the line": "harmless\r\x08\x08hidden",
    "turns the direction": "\u202eevil\u2066\u2069\u200f\u061c",
    "breaks the line": "one\u2028two\u2029three\x85four\x0b\x0cfive",
    "rings and ends": "\x07\x00\x04\x1a\x7f",
    "markup": "[red]not red[/red] [link=http://example.invalid]x[/link] :boom:",
}
BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
COMMANDS = [
    ["list"],
    ["recall", "harmless", "--all", "--ids"],
    ["context", "harmless", "--all", "--no-touch"],
    ["context", "harmless", "--all", "--no-touch", "--text"],
    ["show", key(1).hex()],
    ["history", key(1).hex()],
    ["scopes"],
    ["stats"],
    ["verify"],
]


@pytest.fixture(params=ATTACKS.values(), ids=ATTACKS)
def attack(request):
    return request.param


@pytest.fixture
def store(tmp_path, attack):
    """A store in which every text is an attack."""
    extra = msgpack.packb({"tags": [attack], "links": [attack], "metadata": {attack: attack}, "supersedes": attack})
    texts = {"content": f"harmless{attack}\n{attack}", "scope": f"a{attack}", "kind": attack, "source": attack}
    return make_store(tmp_path / "hostile.mem", Version(key(1), **texts, extra=extra), embedder=LOCAL_NAME, dim=256)


def run(store, *arguments):
    result = CliRunner().invoke(app, ["--store", str(store), *arguments])
    assert result.exit_code in {0, 1}
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def assert_harmless(output):
    for character in output:
        assert character in "\n\t" or unicodedata.category(character) != "Cc", repr(output)
        assert character not in BIDIRECTIONAL, repr(output)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:1] + command[4:]))
def test_no_stored_text_commands_the_terminal(store, command):
    result = run(store, *command)
    assert result.exit_code == 0, result.output
    assert result.stdout
    assert_harmless(result.stdout)
    assert_harmless(result.stderr)


@pytest.mark.parametrize("command", COMMANDS[:5], ids=lambda command: command[0])
def test_json_holds_every_text_as_it_is_and_in_ascii(store, attack, command):
    result = run(store, *command, "--json")
    assert result.stdout.isascii()
    assert_harmless(result.stdout)
    found = json.loads(result.stdout)
    while isinstance(found, list):
        found = found[0]
    if command[0] == "context":
        (found,) = found["memories"]
    memory = found.get("memory", found)
    assert memory["content"] == f"harmless{attack}\n{attack}"
    assert memory["metadata"] == {attack: attack}


def test_no_error_commands_the_terminal(tmp_path, attack):
    name = attack.replace("/", "").replace("\0", "")
    named = make_store(tmp_path / "named.mem", Version(), embedder=f"openai/{attack}")
    unreadable = make_store(tmp_path / "unreadable.mem", Version(key(1), content="0123456789"))
    raw_store.change_content(unreadable, b"0123456789", b"\x1b[2J\xff\xff\xff\xff\xff\xff")
    for store, *arguments in (
        (named, "recall", "x"),
        (unreadable, "list"),
        (unreadable, "verify"),
        (unreadable, "show", key(1).hex()),
        (tmp_path / name, "list"),
        (unreadable, "show", attack),
        (unreadable, "export", str(tmp_path / name / "x")),
    ):
        result = run(store, *arguments)
        assert result.exit_code == 1
        assert_harmless(result.output)
        assert_harmless(result.stderr)
        assert result.stderr.count("\n") == 1
