"""No upward include or import: a file knows only floors below its own."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CPP = {"base": 0, "os": 1, "kernels": 1, "format": 2, "ranking": 3, "storage": 4, "memory": 5, "bindings": 6}

# Python's floors, lowest first. A module imports from lower floors and from its own package. A module of lifecycle that
# is named here stands on that floor, by itself.
FLOORS = [
    {"errors", "arguments", "deferred", "terms", "visible", "secret_patterns", "secret_words", "_core"}
    | {"injection_overrides", "word_patterns", "date_patterns", "calendar_dates", "questions"},
    {"identifiers", "links"},
    {
        "times", "scopes", "extra", "facets", "vectors", "types", "encodings",
        "secret_vendors", "secret_structures", "secret_assignments", "secret_mentions", "neutral", "injection_patterns",
        "words", "relative_dates", "patient_call", "rerankers", "http",
    },
    {"tokens", "prompt", "injection", "secret_search", "ranking", "embedders", "stores", "rights"}
    | {"lexical_terms", "dates", "metadata", "patient_reranker", "patient_llm", "chat"},
    {"lifecycle.correction_words", "lifecycle.correction_policy"},
    {"lifecycle.statements", "lifecycle.outdating_words"},
    {"lifecycle.slots", "lifecycle.outdating"},
    {"lifecycle.attributes"},
    {"lifecycle.corrections"},
    {"lifecycle.contradictions"},
    {"guard", "scoring", "expansions", "diversity", "records", "filters", "policy", "agent_store", "retention"}
    | {"anticipation"},
    {"scored", "drafts", "names", "transfer_fields"},
    {"handle"},
    {"lifecycle.correcting"},
    {"lifecycle.correction_questions"},
    {"session", "merging", "transfer_lines", "forgetting", "changing", "reading", "upkeep", "opening", "quarantine"}
    | {"similar_links", "outdated"},
    {"plan", "context", "transfer_import", "expanded_recall", "drilled_recall", "events"},
    {"telemetry"},
    {"linked_recall"},
    {"reranked_recall"},
    {"writing", "transfer"},
    {"lifecycle"},
    {"layer"},
    {"asynchronous"},
    {"__init__"},
    {"evaluate"},
    {"cli"},
]  # fmt: skip
FLOOR_OF = {name: floor for floor, names in enumerate(FLOORS) for name in names}
PACKAGE = ROOT / "python" / "hippocore"


def cpp_files():
    return sorted(
        path for folder in CPP for path in (ROOT / "cpp" / folder).glob("*.*") if path.suffix in (".h", ".cpp")
    )


def python_files():
    return sorted(PACKAGE.rglob("*.py"))


def test_there_is_something_to_check():
    assert len(cpp_files()) > 20
    assert len(python_files()) > 20


@pytest.mark.parametrize("path", cpp_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_includes_lower_floors_only(path):
    mine = path.parent.name
    for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE):
        folder = included.split("/")[0]
        assert folder in CPP, f"{included} is in no floor"
        assert folder == mine or CPP[folder] < CPP[mine], f"{path.name} includes {included}"


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_lower_floors_only(path):
    mine = floor_name(path.relative_to(PACKAGE).with_suffix("").parts)
    assert mine in FLOOR_OF, f"{mine} stands on no floor: say on which"
    for imported in imports_of(path):
        assert imported in FLOOR_OF, f"{imported} stands on no floor: say on which"
        assert imported == mine or FLOOR_OF[imported] < FLOOR_OF[mine], f"{mine} imports {imported}"


def floor_name(parts):
    """What stands on a floor for a module by its parts below hippocore."""
    by_itself = ".".join(parts[:2])
    return by_itself if by_itself in FLOOR_OF else parts[0]


def imports_of(path):
    """The names on floors that a module imports, wherever in it; the package itself as `__init__`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            whole = node.module in ("hippocore", "hippocore.lifecycle")
            names = [f"{node.module}.{a.name}" for a in node.names] if whole else [node.module]
        else:
            continue
        for name in names:
            if name == "hippocore" or name.startswith("hippocore."):
                part = floor_name(name.removeprefix("hippocore").lstrip(".").split("."))
                found.add(part if part in FLOOR_OF or (PACKAGE / f"{part}.py").exists() else "__init__")
    return found - ({"__init__"} if path.parent == PACKAGE and path.stem == "__init__" else set())


def test_only_the_stores_and_the_scorer_know_the_native_module():
    users = {path.relative_to(PACKAGE).as_posix() for path in python_files() if "_core" in imports_of(path)}
    assert users <= {"stores/native.py", "stores/approximate.py", "scoring.py"}


def test_applications_of_the_layer_use_its_public_names_only():
    for path in python_files():
        if path.relative_to(PACKAGE).parts[0] in ("cli", "evaluate"):
            public = {
                "__init__",
                "cli",
                "evaluate",
                "errors",
                "scoring",
                "embedders",
                "times",
                "layer",
                "types",
                "scopes",
            }
            assert imports_of(path) <= public, path
