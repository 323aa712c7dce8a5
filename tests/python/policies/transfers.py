"""Records, exports and imports that the tests of transfer share."""

import base64
import json

import numpy as np

from hippocore.extra import Extra
from hippocore.guard import Guard
from hippocore.identifiers import key_of
from hippocore.records import Record, version_of
from hippocore.stores.protocol import NEVER, UNSET, WRITTEN, State
from hippocore.transfer import import_store

DIM = 3
SECRET = "password: hunter2"
FRESH = State(0.5, 1.0, 1.0, 0, WRITTEN, 2, 1_000, NEVER, NEVER, UNSET)


def record(identifier, content, version=1, **changes):
    literal = len(identifier) == 32
    given = {
        "extra": Extra(metadata={}, id=None if literal else identifier),
        "scope": "user:alice",
        "kind": "fact",
        "source": "",
        "created_at": 1_000,
        "valid_from": 1_000 * version,
        "event_time": UNSET,
        "tokens": 7,
        "state": FRESH,
    }
    return Record(key=key_of(identifier), content=content, version=version, **{**given, **changes})


def vector(seed):
    return np.array([seed, 1e-30, -seed / 3], np.float32)


def add(store, *records):
    store.write([version_of(each) for each in records], np.array([vector(i + 1) for i in range(len(records))]))


def no_embedder(texts):
    raise AssertionError("every text came with its embedding")


def rows(store):
    found, _ = store.versions(0, 1000)
    return sorted((found[i] for i in range(len(found))), key=lambda row: (row[0], row[10]))


REFUSING = Guard()


def into(store, path, guard=REFUSING, embed=no_embedder, **more):
    return import_store(store, path, guard=guard, embed=embed, **more)


LINE = {
    "id": "a", "version": 1, "content": "text of it", "scope": "user:alice", "kind": "fact", "created_at": 5,
    "valid_from": 5, "last_used": 5, "use_count": 0, "importance": 0.5, "confidence": 1.0, "stability": 1.0,
    "trust": "trusted", "tokens": 2, "embedding": base64.b64encode(np.ones(DIM, "<f4").tobytes()).decode(),
}  # fmt: skip
HEADER = {
    "format": "hippocore export", "version": 1, "dim": DIM, "embedder": "vectors", "tokenizer": "estimate",
    "embeddings": True, "versions": 1,
}  # fmt: skip


def written(path, *lines):
    path.write_bytes(
        b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    )
    return path
