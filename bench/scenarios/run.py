"""What a run was asked for, and what every scenario needs: filled stores, workers, rows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.data import Data
from bench.measure import PeerError, Progress, Worker, disk_mb
from bench.peers import PEERS, peer_class

Row = dict[str, Any]
HIPPOCORE = "hippocore"


@dataclass
class Run:
    """The options of the command line, see `python -m bench --help`."""

    folder: Path
    peers: list[str]
    sizes: list[int]
    dimension: int
    limit: int
    queries: int
    seconds: float
    patience: float
    texts: list[Path]
    conversations: list[Path]
    progress: Progress
    fill_only: bool = False
    keep: bool = False
    opens: int = 3  # the best of so many openings is shown
    filled_in: dict[str, list[tuple[int, float]]] = field(default_factory=dict)

    @property
    def rivals(self) -> list[str]:
        return [peer for peer in self.peers if peer != HIPPOCORE]

    def store_folder(self, peer: str, data: Data) -> Path:
        return self.folder / "stores" / data.folder.name / _file_name(_stored_as(peer))

    @contextmanager
    def worker(self, peer: str, folder: Path, data: Data) -> Iterator[Worker]:
        with Worker(peer, folder, data, self.patience) as worker:
            yield worker

    def filled(self, peer: str, data: Data) -> dict[str, Any]:
        """Return {"fill_seconds", "disk_mb"} of the peer's store of that set, filling it when it is not there yet.

        Raises PeerError when the peer cannot, or when the sizes before say that it would outlast the patience.
        """
        folder = self.store_folder(peer, data)
        marker = folder / "filled.json"
        with self.worker(peer, folder, data) as worker:
            about = worker("about")
            if marker.exists():
                said = json.loads(marker.read_text())
                if said.pop("build") == about["build"]:
                    self.filled_in.setdefault(peer, []).append((data.count, said["fill_seconds"]))
                    return said
            if data.count > about["largest"]:
                raise PeerError(f"not tried with more than {about['largest']:,}")
            self._refuse_if_too_slow(peer, data)
            shutil.rmtree(folder, ignore_errors=True)
            self.progress.doing(f"filling {peer} with {data.count:,} x {data.dimension}")
            seconds = worker("fill")
        said = {"version": about["version"], "fill_seconds": round(seconds, 3), "disk_mb": round(disk_mb(folder), 1)}
        marker.write_text(json.dumps({**said, "build": about["build"]}))
        self.filled_in.setdefault(peer, []).append((data.count, seconds))
        return said

    def fill_all(self, scenario: str, data: Data) -> None:
        """Fill the stores of all peers and measure nothing; what cannot be filled is said."""
        for peer in self.peers:
            try:
                self.filled(peer, data)
            except PeerError as reason:
                self.progress.say(f"{scenario}: {peer}: {reason}")

    def _refuse_if_too_slow(self, peer: str, data: Data) -> None:
        for count, seconds in self.filled_in.get(peer, [])[-1:]:
            expected = seconds * data.count / count
            if seconds > 1 and expected > self.patience:
                raise PeerError(
                    f"filling it would take about {expected / 60:.0f} min ({count:,} took {seconds:.0f} s); "
                    f"--patience {expected:.0f} would wait"
                )

    def drop(self, peer: str, data: Data) -> None:
        """Remove a peer's store unless the run keeps them or another peer's row reads it."""
        if not self.keep and _stored_as(peer) == peer and peer != HIPPOCORE and not _read_by_another(peer):
            shutil.rmtree(self.store_folder(peer, data), ignore_errors=True)


def base_row(scenario: str, peer: str, data: Data, **more: Any) -> Row:
    return {
        "scenario": scenario,
        "peer": peer,
        "count": data.count,
        "dimension": data.dimension,
        "scopes": data.scopes,
        "vectors": data.name,
        **more,
    }


def _stored_as(peer: str) -> str:
    """Return whose store a peer reads, without loading a peer that is not installed."""
    module = PEERS[peer].split(":")[0]
    shared = {"bench.peers.hippocore": "hippocore", "bench.peers.numpy": "numpy", "bench.peers.plugmem": "plugmem"}
    return shared.get(module, peer)


def _read_by_another(peer: str) -> bool:
    return sum(_stored_as(other) == peer for other in PEERS) > 1


def _file_name(peer: str) -> str:
    return peer.replace(" ", "-").lower()


__all__ = ["HIPPOCORE", "PeerError", "Row", "Run", "Worker", "base_row", "peer_class"]
