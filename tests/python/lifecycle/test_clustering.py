"""Clusters: every two of one are alike, whatever the order of growth, and the same for the same vectors."""

import numpy as np
import pytest

from hippocore.lifecycle.clustering import MOST_MEMBERS, clusters, most_central, unit_vectors


def at_angles(*degrees):
    return np.array([[np.cos(np.radians(angle)), np.sin(np.radians(angle))] for angle in degrees], np.float32)


NEAR = float(np.cos(np.radians(30)))


def test_every_two_of_a_cluster_are_alike():
    assert clusters(at_angles(0, 90, 10, 100, 30, 95), NEAR, 3) == [[0, 2, 4], [1, 3, 5]]


def test_a_chain_is_no_cluster():
    """Each is near the one before it, and the ends are not near each other."""
    assert clusters(at_angles(0, 25, 50, 75), NEAR, 3) == []


def test_who_has_the_most_others_comes_first():
    """In order of time alone, 0 would take 28 with it, and neither would come to three."""
    assert clusters(at_angles(28, 0, -10, -12), NEAR, 3) == [[1, 2, 3]]


def test_what_is_just_as_near_as_asked_counts():
    three_four_five = np.array([[5, 0], [4, 3], [5, 0]], np.float32)
    assert clusters(three_four_five, 0.8, 3) == [[0, 1, 2]]
    assert clusters(three_four_five, 0.8001, 3) == []


def test_length_does_not_count_and_zeros_are_like_nothing():
    vectors = at_angles(0, 1, 2, 3) * np.array([[1e-20], [1e18], [1.0], [0.0]], np.float32)
    assert clusters(vectors, 0.99, 2) == [[0, 1, 2]]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_are_none(count):
    assert clusters(np.ones((count, 4), np.float32), 0.8, 3) == []


def test_a_cluster_is_bounded_and_the_rest_is_another():
    found = clusters(np.ones((2 * MOST_MEMBERS, 2), np.float32), 0.8, 3)
    assert next(map(len, found)) == MOST_MEMBERS
    assert len({row for group in found for row in group}) == sum(map(len, found))


def test_more_than_one_block_of_products_gives_what_plain_numpy_gives():
    random = np.random.default_rng(5)
    centres = random.normal(size=(40, 32))
    vectors = (centres[random.integers(40, size=700)] + 0.2 * random.normal(size=(700, 32))).astype(np.float32)
    alike = unit_vectors(vectors).astype(np.float64) @ unit_vectors(vectors).T.astype(np.float64) >= 0.8
    found = clusters(vectors, 0.8, 3)
    assert sum(map(len, found)) > 600
    assert all(alike[np.ix_(group, group)].all() for group in found)
    left = set(range(700)).difference(*found)
    assert not any(alike[np.ix_([i, *group], [i, *group])].all() for i in left for group in found)


def test_the_medoid_is_the_nearest_to_all_and_the_earliest_of_equals():
    assert most_central(unit_vectors(at_angles(0, 20, 10)))[0] == 2
    assert most_central(unit_vectors(at_angles(0, 20)))[0] == 0
