"""The mutations, by what they break."""

from __future__ import annotations

from tests.mutated import layer, ranking, storage

MUTATIONS = (*layer.MUTATIONS, *ranking.MUTATIONS, *storage.MUTATIONS)
