"""Proves that the checks can fail: each mutation breaks one thing, and a named test must turn red.

`python -m tests.mutations [--only NAME] [--list]`. Every test is run on the unbroken tree first, where it must be
green. A mutation whose old text is gone is an error, so that none rots. Exit code 0 where every one was seen.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.mutated import MUTATIONS
from tests.mutating import Mutation, MutationError, Verdict, Workshop, broken
from tests.native import ROOT, BuildError


def main() -> int:
    """Try the mutations that were asked for and say which were seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="try the mutations whose name contains this")
    parser.add_argument("--list", action="store_true", help="name them and try none")
    given = parser.parse_args()
    chosen = [mutation for mutation in MUTATIONS if given.only is None or given.only in mutation.name]
    if given.list:
        print("\n".join(f"{mutation.name}: {mutation.file}, seen by {mutation.test}" for mutation in chosen))
        return 0
    if not chosen:
        parser.error(f"no mutation's name contains {given.only!r}")
    try:
        return _try_all(chosen)
    except (MutationError, BuildError) as failure:
        print(failure, file=sys.stderr)
        return 1


def _try_all(chosen: list[Mutation]) -> int:
    start = time.monotonic()
    for mutation in chosen:  # before anything is built
        broken(mutation, (ROOT / mutation.file).read_text(encoding="utf-8"))
    workshop = Workshop(ROOT / "build" / "mutations")
    _require_green(workshop, sorted({mutation.test for mutation in chosen}))
    survivors = []
    # Those that need no new extension come first: the C++ is built again for each of the others.
    for mutation in sorted(chosen, key=lambda one: (one.file.endswith((".cpp", ".h")), "::" in one.test)):
        try:
            verdict = workshop.try_out(mutation)
        except BuildError as failure:  # proves nothing; the others are tried all the same
            verdict = Verdict(False, f"does not build\n{failure}", "")
        if not verdict.red:
            survivors.append(mutation)
        print(
            f"{'seen    ' if verdict.red else 'SURVIVED'} {mutation.name}: {mutation.test}, {verdict.how}", flush=True
        )
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutations seen in {time.monotonic() - start:.0f} s")
    return 1 if survivors else 0


def _require_green(workshop: Workshop, tests: list[str]) -> None:
    python = [test for test in tests if "::" in test]
    for asked in [*([test] for test in tests if "::" not in test), *([python] if python else [])]:
        verdict = workshop.run(*asked)
        if verdict.red:
            raise MutationError(f"red without any mutation ({verdict.how}): {', '.join(asked)}\n{verdict.output}")
    print(f"{len(tests)} tests are green on the unbroken tree", flush=True)


if __name__ == "__main__":
    sys.exit(main())
