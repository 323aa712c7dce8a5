"""How well a context's confidence tells what is stored, by the number of memories: `python bench/confidence.py FILE`.

FILE is LoCoMo's. Each trial remembers so many turns in a row around the evidence of a question, and asks that question
and one of another conversation. All conversations get the same two names, so that names tell nothing.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path
from statistics import mean, median

from hippocore import MemoryLayer
from hippocore.evaluate.dataset import Conversation, Entry, Question
from hippocore.evaluate.files import read_file
from hippocore.evaluate.metrics import auroc
from hippocore.evaluate.variations import varied

SIZES = (1, 3, 10, 25, 60, 150, 400)
TRIALS = 120


def trial(conversations: tuple[Conversation, ...], size: int, draw: random.Random) -> tuple[float, float]:
    """Return the confidence in a question whose one piece of evidence is stored, and in one of another conversation."""
    own, other = draw.sample(conversations, 2)
    asked = draw.choice([one for one in own.questions if not one.apart and len(one.expected) == 1])
    [evidence] = asked.expected
    place = next(at for at, entry in enumerate(own.entries) if entry.id in evidence)
    first = max(0, place - draw.randrange(size))
    return confidences(own.entries[first : first + size], (asked, draw.choice(other.questions)))


def confidences(entries: tuple[Entry, ...], asked: tuple[Question, Question]) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder, MemoryLayer(Path(folder) / "piece.mem", embedder="local") as memory:
        memory.remember_many([{"content": one.content, "source": one.source} for one in entries], merge=False)
        right, wrong = (memory.context(one.text, budget=100, touch=False).confidence or 0.0 for one in asked)
        return right, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="locomo10.json")
    parser.add_argument("--trials", type=int, default=TRIALS)
    options = parser.parse_args()
    conversations = varied(read_file(options.file), speakers="neutral").conversations
    draw = random.Random(1)
    print(f"{options.trials} questions whose answer is stored, and as many whose is not; embedder local")
    print("memories   AUROC   median, stored and not   above 0.5, stored and not")
    for size in SIZES:
        pairs = [trial(conversations, size, draw) for _ in range(options.trials)]
        right, wrong = ([pair[side] for pair in pairs] for side in (0, 1))
        above = [mean(value > 0.5 for value in values) for values in (right, wrong)]
        print(f"{size:8}   {auroc(right, wrong):5.2f}   {median(right):12.2f} {median(wrong):6.2f}", end="")
        print(f"   {above[0]:17.0%} {above[1]:5.0%}", flush=True)


if __name__ == "__main__":
    main()
