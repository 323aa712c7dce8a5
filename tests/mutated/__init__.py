"""The mutations, by what they break."""

from __future__ import annotations

from tests.mutated import crashes, hostile, layer, ranking, storage, strangers

MUTATIONS = (
    *crashes.MUTATIONS,
    *hostile.MUTATIONS,
    *layer.MUTATIONS,
    *ranking.MUTATIONS,
    *storage.MUTATIONS,
    *strangers.MUTATIONS,
)
