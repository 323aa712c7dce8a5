"""Model files that other distributions carry: found without importing them, and known by their SHA-256."""

from __future__ import annotations

import importlib.util
from collections.abc import Collection
from pathlib import Path

from hippocore.errors import EmbedderError


def require_modules(*names: str, remedy: str) -> None:
    """Raise EmbedderError with the remedy unless every top-level module can be imported; imports none."""
    for name in names:
        if package_folder_or_none(name) is None:
            raise EmbedderError(f"the package {name!r} is not installed: {remedy}")


def package_file(package: str, *parts: str, remedy: str) -> Path:
    """Return the path of a file inside an installed package, which is not imported.

    Raises EmbedderError with the remedy when the package or the file is not there.
    """
    folder = package_folder_or_none(package)
    if folder is None:
        raise EmbedderError(f"the package {package!r} is not installed: {remedy}")
    path = folder.joinpath(*parts)
    if not path.is_file():
        raise EmbedderError(f"the installed package {package!r} has no file {'/'.join(parts)}: {remedy}")
    return path


def package_folder_or_none(package: str) -> Path | None:
    """Return the folder of an installed top-level package or None, without running its code."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal; raises EmbedderError when it cannot be read."""
    import hashlib

    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise EmbedderError(f"the model file {path} cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def check_sha256(path: Path, known: Collection[str], *, remedy: str) -> None:
    """Raise EmbedderError with the remedy unless the file's SHA-256 is one of the known ones.

    Other weights under the same name would make vectors that do not compare with the stored ones.
    """
    found = sha256_of(path)
    if found not in known:
        raise EmbedderError(f"{path} is not the file this release knows (its SHA-256 is {found}): {remedy}")
