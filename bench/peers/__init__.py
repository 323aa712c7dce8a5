"""The peers by name, each loaded only in the process that runs it."""

from __future__ import annotations

from importlib import import_module

from bench.peers.peer import Peer

PEERS = {
    "hippocore": "bench.peers.hippocore:Hippocore",
    "hippocore with texts": "bench.peers.hippocore:HippocoreRead",
    "hippocore hybrid": "bench.peers.hippocore:HippocoreHybrid",
    "numpy": "bench.peers.numpy:Numpy",
    "numpy four signals": "bench.peers.numpy:NumpyFourSignals",
    "faiss flat": "bench.peers.faiss:Flat",
    "faiss SQ8": "bench.peers.faiss:EightBit",
    "usearch exact": "bench.peers.usearch:Exact",
    "hnswlib": "bench.peers.hnswlib:Hnsw",
    "sqlite-vec": "bench.peers.sqlite_vec:SqliteVec",
    "chromadb": "bench.peers.chromadb:Chroma",
    "lancedb": "bench.peers.lancedb:Lance",
    "zvec": "bench.peers.zvec:Flat",
    "LangGraph InMemoryStore": "bench.peers.langgraph:InMemory",
    "LangGraph SqliteStore": "bench.peers.langgraph:Sqlite",
    "mem0": "bench.peers.mem0:Mem0",
    "plugmem": "bench.peers.plugmem:Plugmem",
    "plugmem by text": "bench.peers.plugmem:PlugmemText",
    "memd-engine": "bench.peers.memd:Memd",
    "yantrikdb": "bench.peers.yantrikdb:Yantrik",
}
# Peers of the writes only, each beside the one that it is a variant of.
WRITERS = {"sqlite-vec": ("sqlite-vec, synced", "bench.peers.sqlite_vec:SqliteVecSynced")}


def peer_class(name: str) -> type[Peer]:
    module, attribute = (PEERS | dict(WRITERS.values()))[name].split(":")
    return getattr(import_module(module), attribute)
