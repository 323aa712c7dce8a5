"""The mutations, by what they break."""

from __future__ import annotations

from tests.mutated import (
    agents,
    approximate,
    compression,
    crashes,
    forgetting,
    hostile,
    idle,
    layer,
    links,
    models,
    outdating,
    ranking,
    secrets,
    storage,
    strangers,
    trust,
    turns,
)

MUTATIONS = (
    *agents.MUTATIONS,
    *approximate.MUTATIONS,
    *compression.MUTATIONS,
    *crashes.MUTATIONS,
    *forgetting.MUTATIONS,
    *hostile.MUTATIONS,
    *idle.MUTATIONS,
    *layer.MUTATIONS,
    *links.MUTATIONS,
    *models.MUTATIONS,
    *outdating.MUTATIONS,
    *ranking.MUTATIONS,
    *secrets.MUTATIONS,
    *storage.MUTATIONS,
    *strangers.MUTATIONS,
    *trust.MUTATIONS,
    *turns.MUTATIONS,
)
