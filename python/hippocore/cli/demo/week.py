"""A working week of an agent, as it wrote it down: what was said, learned, corrected and used.

The project is invented: Tidewatch reads tide gauges and warns harbours. Day 0 is seven days before the demo, day 6 is
yesterday; times of day are UTC.
"""

from __future__ import annotations

from dataclasses import dataclass

USER = "user:ada"
AGENT = "user:ada/agent:coder"


@dataclass(frozen=True)
class Turn:
    """One thing remembered. `name` lets a later turn and the questions speak of it."""

    day: int
    time: str
    text: str
    kind: str = "episode"
    importance: float = 0.3
    name: str = ""
    corrects: str = ""  # the name of the turn that this one supersedes
    scope: str = AGENT


@dataclass(frozen=True)
class Use:
    """A memory that did its work on that day, said with `feedback`."""

    day: int
    time: str
    name: str


def _fact(day: int, time: str, text: str, name: str = "", corrects: str = "", importance: float = 0.5) -> Turn:
    return Turn(day, time, text, "fact", importance, name, corrects)


def _rule(day: int, time: str, text: str, name: str) -> Turn:
    return Turn(day, time, text, "procedure", 0.95, name)


def _preference(day: int, time: str, text: str, name: str) -> Turn:
    return Turn(day, time, text, "preference", 0.7, name, scope=USER)


WEEK: tuple[Turn, ...] = (
    # Day 0: getting to know the project. Most of what is learned here is still true at the end, some is not.
    Turn(0, "08:58", "Ada: good morning! First coffee, then Tidewatch. I'll show you around."),
    _fact(0, "09:05", "Tidewatch reads the level of 41 tide gauges every six minutes and warns harbours of floods."),
    _fact(
        0,
        "09:12",
        "Run the tests with `make check` inside the container tide-dev; run by pytest on the host they find no gauges.",
        "run-tests",
        importance=0.6,
    ),
    _rule(
        0, "09:20", "Never push to main. Every change goes through a branch and a review by Ada or Tomas.", "no-push"
    ),
    _rule(0, "09:22", "Never deploy to production after 15:00 or on a day before a spring tide.", "no-late-deploy"),
    _fact(0, "09:31", "The staging database is at db1.tide.example, port 5432, database gauges.", "staging-old"),
    Turn(
        0,
        "09:40",
        "Coder: connected to the staging database at db1.tide.example port 5432; the address works.",
        name="staging-chat-1",
    ),
    _fact(0, "10:02", "Release 2.4 goes out on the 12th, in the morning.", "release-old"),
    Turn(
        0,
        "10:04",
        "Ada: so the date of release 2.4 is the 12th, remember that date, the harbour office has it in its calendar.",
        name="release-chat-1",
    ),
    _preference(
        0,
        "10:30",
        "Ada wants reports as JSON with sorted keys and an indent of two, so that a diff of two reports is short.",
        "json-style",
    ),
    Turn(
        0,
        "11:15",
        "Coder: ran the tests with pytest on the host; 38 errors, every one a missing gauge fixture.",
        name="tests-host",
    ),
    Turn(0, "12:30", "Ada: lunch. The canteen has fish again. In a harbour town one should not complain."),
    Turn(
        0, "14:10", "Coder: fixed the off-by-one in the six-minute window; the last reading of a day was counted twice."
    ),
    Turn(0, "16:45", "Ada: that is it for today. Do you dream of electric gulls?"),
    # Day 1: the first deploy, and a push that should not have been.
    Turn(1, "08:55", "Ada: morning. Rain. The gauges love it."),
    Turn(1, "09:10", "Coder: ran the tests in tide-dev before touching anything: 412 passed."),
    _fact(
        1, "09:45", "Gauge 17 at the north pier reports centimetres; every other gauge reports millimetres.", "gauge-17"
    ),
    Turn(
        1,
        "10:20",
        "Ada: can I push the fix straight to main, just this once? Kidding. You should have seen your face.",
        name="push-joke",
    ),
    Turn(1, "11:05", "Coder: opened the branch fix-window and asked Tomas for a review."),
    Turn(1, "13:40", "Tomas: reviewed fix-window, two remarks on names, otherwise good."),
    Turn(1, "14:15", "Ada: deployed to production at 14:15 with the new window. Quiet afterwards."),
    _fact(1, "15:02", "Alerts to harbours are sent by SMS through the gateway in Bremen; e-mail is only for reports."),
    Turn(1, "16:20", "Ada: Tomas's daughter drew a tide table with whales on it. It hangs at the coffee machine now."),
    # Day 2: the staging database moves.
    Turn(2, "08:50", "Ada: good morning, the bus was late, the sea was not."),
    Turn(
        2,
        "09:05",
        "Coder: cannot reach the staging database; the address db1.tide.example does not answer on port 5432.",
        name="staging-chat-2",
    ),
    Turn(2, "09:30", "Tomas: oh. The staging database moved last night. Nobody told anybody, as usual."),
    _fact(
        2,
        "09:34",
        "The staging database is at pg-staging.tide.example, port 6432, behind the pooler.",
        "staging",
        corrects="staging-old",
        importance=0.6,
    ),
    _rule(
        2,
        "10:00",
        "Never run a migration against production without a backup of the same day and Ada's written go.",
        "no-migration",
    ),
    Turn(2, "11:30", "Coder: moved the connection strings into settings.toml; one place instead of four."),
    _fact(2, "13:20", "The supported Python versions of Tidewatch are 3.9 to 3.11.", "python-old"),
    Turn(
        2,
        "14:00",
        "Ada: what is the date of the release again? Ah, the 12th. It is on my wall, next to the whales.",
        name="release-chat-2",
    ),
    Turn(2, "15:30", "Coder: wrote the tests for the pooler; transactions longer than 30 seconds are cut."),
    Turn(2, "16:50", "Ada: see you tomorrow. Feed the gulls. No, do not feed the gulls."),
    # Day 3: reports for the harbour office.
    Turn(3, "08:57", "Ada: morning! Today: reports."),
    Turn(3, "09:25", "Ada: the harbour office wants one JSON report a station and day, through their upload folder."),
    _fact(
        3,
        "09:40",
        "A station report has the keys station, day, highest, lowest and readings; heights are in metres.",
        "report-keys",
        importance=0.6,
    ),
    _preference(3, "09:55", "Ada wants text in reports as UTF-8 with its umlauts, not as escapes.", "json-utf8"),
    Turn(3, "11:10", "Coder: the first station report is written; 41 files, 3 MB, in 0.8 seconds."),
    Turn(3, "12:10", "Ada: a JSON report walks into a bar. The bartender says: why so nested?", name="json-joke"),
    Turn(3, "14:30", "Ada: the harbour office asks to delay: their calendar system is down this week."),
    _fact(
        3,
        "14:40",
        "Release 2.4 was moved: it goes out on the 19th at 10:00, the harbour office has agreed.",
        "release",
        corrects="release-old",
        importance=0.7,
    ),
    Turn(3, "16:30", "Tomas: who ate the last of the liquorice? The tide will tell."),
    # Day 4: a bug in one gauge.
    Turn(4, "09:00", "Ada: good morning. Gauge 17 says we are under 12 metres of water. I feel dry."),
    Turn(
        4,
        "09:20",
        "Coder: gauge 17 was read as millimetres again after the refactoring; the unit is now part of its settings.",
    ),
    _fact(
        4,
        "10:15",
        "The supported Python versions of Tidewatch are 3.10 to 3.13; 3.9 was dropped.",
        "python",
        corrects="python-old",
    ),
    Turn(4, "11:40", "Coder: added a check that refuses a level above 9 metres or below minus 3."),
    Turn(
        4,
        "13:15",
        "Ada: I could run the tests on the beach. Running on the beach is a test in itself.",
        name="beach-joke",
    ),
    Turn(4, "15:10", "Ada: it is past 15:00, so no deploy of the gauge fix today. Tomorrow, before noon."),
    # Day 5: deploy, and a look at the logs.
    Turn(5, "09:02", "Ada: morning. Deploy first, coffee second. That is how serious this is."),
    Turn(5, "10:05", "Ada: gauge fix deployed to production at 10:05; gauge 17 reads 2.31 metres."),
    _fact(5, "11:00", "The logs of production are kept for 14 days in the bucket tide-logs, one folder a day."),
    Turn(
        5,
        "13:00",
        "Tomas: I tried to run the tests on my old laptop, how slow can tests run? It is still running them.",
        name="tests-laptop",
    ),
    Turn(
        5, "14:20", "Coder: found the cause of the slow nightly job: one query for each gauge instead of one for all."
    ),
    Turn(5, "16:40", "Ada: there is cake. There was cake."),
    # Day 6: the end of the week.
    Turn(6, "09:00", "Ada: good morning! Last day, then the sea."),
    Turn(6, "09:50", "Coder: the nightly job takes 40 seconds instead of 11 minutes; one query for all gauges."),
    Turn(6, "11:20", "Ada: show me the difference of yesterday's and today's station report. Two lines. Lovely."),
    Turn(6, "13:30", "Tomas: spring tide is in three days. Somebody tell the deploy calendar."),
    _fact(
        6,
        "13:45",
        "The next spring tide is on the 17th; the day before it counts as closed for deploys.",
        "spring-tide",
        importance=0.6,
    ),
    Turn(6, "15:00", "Ada: thank you for this week. Whatever you are made of, you kept the whales dry."),
)

USES: tuple[Use, ...] = (
    *(Use(day, "09:15", "run-tests") for day in range(1, 7)),
    *(Use(day, "11:00", "no-push") for day in (1, 4, 5)),
    Use(4, "15:05", "no-late-deploy"),
    Use(3, "10:30", "staging"),
    Use(5, "14:25", "staging"),
    Use(6, "11:00", "json-style"),
    Use(5, "09:30", "release"),
)
