"""Labelled turns: which sentences of a conversation are worth remembering, and as what.

Two lists. The rules of extraction were made by looking at TUNING; HELD_OUT was written before them, and nothing was
changed after looking at what they get wrong in it. A paragraph is a turn, a line is a sentence: who says it, the kind
that it is to be kept as ("-": it is not to be kept), and the sentence.
"""

from __future__ import annotations

from typing import NamedTuple

from hippocore.lifecycle.dialogue import Turn

TUNING = """
user - | Hi there!
user identity | My name is Tomas and I'm a backend engineer in Lyon.
reply - | Nice to meet you, Tomas! How can I help you today?

user preference | I prefer tabs over spaces.
user - | Can you reformat this file?
reply episode | I reformatted settings.py with tabs.
reply - | Let me know if you need anything else.

user rule | Never push directly to main.
user rule | Always open a pull request and ask for a review.
reply - | Understood, I will keep that in mind.

user - | What's the weather like in Oslo?
reply - | I can't look that up right now.

user fact | The staging database moved to pg2, port 6432.
user - | Thanks for your help with it.
reply - | You're welcome!

user fact | We decided to use PostgreSQL instead of MySQL for the billing service.
user - | I think that was hard for some people.
reply - | That sounds like a sensible choice.

user - | Actually, it's on Tuesday.
reply - | Got it, Tuesday then.

user fact | Actually, the release meeting is on Tuesday now, not Monday.
reply - | I've updated my notes.

user - | The build is broken again, can you check?
tool:pytest episode | 41 passed, 2 failed in 12.3 seconds.
reply episode | I fixed the failing import in billing/tax.py.
reply - | Would you like me to run the tests again?

user preference | I really don't like long explanations, keep your answers short.
reply - | Sure.

user identity | I have two kids, Mia and Jonas.
user - | They keep me busy, haha.
reply - | How lovely!

user identity | I'm allergic to peanuts.
user - | Could you suggest a dinner recipe?
reply - | How about a lentil curry with rice?

user - | I'd like to know how decorators work.
reply - | A decorator is a function that takes a function and returns another one.

user rule | From now on, write all commit messages in English.
reply - | Will do.

user rule | Before every release, run the smoke tests on staging.
reply - | Okay.

user - | I always thought it was the cache.
user - | Never mind, I found the problem.
reply - | Glad to hear that!

user fact | Our API is at https://api.example.org/v2.
user fact | The rate limit is 500 requests per minute.
reply - | Thanks, that helps.

user - | I'm a bit confused about the second option.
reply - | The second option keeps the cache in memory.

user fact | We no longer support Python 3.9.
reply - | Noted.

user preference | My favourite editor is Helix.
user - | What do you think about Vim?
reply - | Vim is powerful, and many people love it.

user - | Please write a function that parses dates.
user - | It should handle ISO 8601.
reply episode | I created utils/dates.py with the function parse_iso.

user fact | Let's go with the blue logo for the landing page.
reply - | Great choice!

user - | Sounds good, thanks!
reply - | Anytime.

user identity | I work as a nurse at St. Olav Hospital.
user preference | Please answer in Norwegian.
reply - | Selvfølgelig!

user - | Maybe we should move to Kubernetes.
user - | If we moved to Kubernetes, the costs would go up.
reply - | That depends on the number of nodes.

user episode | We shipped version 2.4 of the app yesterday.
user - | Everyone was so happy!
reply - | Congratulations!

tool:deploy episode | Deployed web 3.1.0 to production.
user - | Deploy the new version, please.
reply episode | I deployed web 3.1.0 to production.

user identity | My sister Ana lives in Porto.
user - | Do you know any good restaurants there?
reply - | Cantinho do Avillez is a popular one.

user rule | You must never share customer emails with third parties.
reply - | Of course.

user fact | The standup moved from 9:00 to 9:30.
user - | See you tomorrow!
reply - | See you!

user - | I haven't decided yet.
user - | I'm trying to choose between Rust and Go.
reply - | Both are good choices.

user preference | I'd rather get a summary than the full report.
reply - | Here is a summary.

user episode | I finished the marathon in Berlin in 3:58.
user - | It was great fun.
reply - | Wow, well done!

user rule | Don't use force push on shared branches.
user - | Don't worry about the old ones.
reply - | Okay, I won't.

user identity | I moved to Hamburg last year and work for a shipping company.
reply - | Hamburg is a great city.

user episode | The invoice from Acme was paid on 3 March.
user - | Can you file it?
reply episode | I moved the invoice to archive/2024.

user - | You're right, that's a good point.
reply - | Thank you!

user preference | I never eat meat.
user - | Is tofu healthy?
reply - | Yes, tofu is rich in protein.

user fact | The project was renamed from Falcon to Osprey.
reply - | Thanks for letting me know.
"""

HELD_OUT = """
user - | Hey, good morning!
user identity | I'm Priya, the new product manager of the payments team.
reply - | Good morning, Priya! What can I do for you?

user preference | I like my code with type hints everywhere.
user - | Could you look at this module?
reply episode | I added type hints to 14 functions in ledger.py.

user rule | Never store card numbers in logs.
user - | That's really important to us.
reply - | Understood.

user fact | The office Wi-Fi password is changed every 90 days.
user - | How do I reset it?
reply - | You can reset it in the admin panel.

user fact | We agreed to postpone the launch until October.
reply - | Makes sense.

user fact | Correction: the client's budget is 40,000 euros, not 45,000.
reply - | Thanks for clarifying.

user identity | My daughter Lena starts school in September.
user - | Time flies!
reply - | It really does.

user preference | I hate being called by my full name, just call me Bea.
reply - | Of course, Bea.

user - | Could you explain what a monad is?
user - | I never understood monads.
reply - | A monad is a way to chain computations.

user rule | When you change the schema, always write a migration.
reply - | Will do.

user episode | The nightly backup failed because the disk was full.
user - | Can you free some space?
tool:cleanup episode | Removed 12 GB of old archives from /var/backups.
reply episode | I deleted archives older than 30 days from /var/backups.

user - | Ugh, this is so annoying.
user - | I wish the tests were faster.
reply - | I can profile the slowest ones if you like.

user fact | Our deploys happen every Thursday at 14:00.
reply - | Good to know.

user identity | I live in Utrecht with my partner and two cats.
user - | What should I cook tonight?
reply - | What about a risotto?

user fact | We're switching from Jenkins to GitHub Actions next month.
reply - | That should simplify your pipeline.

user - | I'm not sure if that works.
user - | Let me think about it.
reply - | Take your time.

user rule | Make sure to always run the linter before committing.
reply - | I will.

user preference | Please keep your replies under 100 words.
reply - | Okay.

user - | I'd love to see some examples.
reply - | Here are three examples.

user identity | I've been a vegetarian since 2015.
user preference | I enjoy spicy food.
reply - | Then you might like Sichuan tofu.

user fact | The meeting with Dr. Chen has been moved to Friday at 10.
user - | Thanks a lot!
reply - | You're welcome.

user episode | I passed my driving test today!
reply - | Congratulations, that's wonderful news!

user - | Fix the typo in the README.
reply episode | I corrected the typo in README.md and opened pull request 88.

user fact | Kafka runs on three nodes in eu-west-1.
user - | Is that enough?
reply - | Three nodes are usually enough for a small cluster.

user rule | Under no circumstances may you delete rows from the audit table.
reply - | Understood, I will never do that.

user identity | My email is bea@example.org.
user - | Send me the report, please.
tool:send_mail episode | Sent 1 message to bea@example.org.
reply episode | I sent the report to bea@example.org.

user - | So what's next?
reply - | Next we could write the tests.

user fact | Marta is no longer the team lead; Igor took over in May.
reply - | Thanks, I'll remember that.

user - | He usually replies within a day.
reply - | Then let's wait until tomorrow.

user preference | I usually work late, so schedule nothing before 11.
reply - | Okay, no meetings before 11.

user fact | The customer number of Nordwind is 20815.
reply - | Thank you.

user - | Imagine we had a million users.
user - | The server would need more memory.
reply - | Probably around 64 GB.

user fact | I've chosen the red one for the kitchen wall.
reply - | A bold choice!

user identity | I speak Portuguese and a little German.
user - | Translate this sentence for me.
reply - | Claro, aqui está.

user rule | No deploys on Fridays.
reply - | Noted.

user episode | We signed the contract with Helios last week.
reply - | That's great news!

tool:web_search - | The company was founded in 1998 and released its first product two years later.
tool:web_search - | Its founders had met at university.
tool:web_search - | In 2004 it opened an office in Dublin, and in 2010 the company was bought by a larger one.
tool:web_search - | The deal closed in March. Since then it has launched four products and closed two of them.
tool:web_search - | Critics liked the first, and the last one failed. Its revenue passed 1 billion in 2019.
tool:web_search - | The company has 4,000 employees in twelve countries and finished the last year with a small profit.
tool:web_search - | Its share price has fallen by a third since the spring, after a plan to merge with others failed.
tool:web_search - | Analysts had expected the merger to be completed in the summer.
tool:web_search - | The two companies said that they had not agreed on a price.
tool:web_search - | The chief executive resigned in the autumn, and a successor was named within a month.
tool:web_search - | She had led the business in Asia before that and had launched the product that sells best there.
tool:web_search - | The board said that it had chosen her because of that record.
user - | Who founded Acme?
reply - | I could not find the names of the founders.

user - | Lol, okay.
user - | I guess we can try that.
reply - | Let's do it.

user preference | My preferred language for scripts is Python.
user - | Show me how to read a CSV.
reply - | Use csv.reader with an open file.

user fact | Rent is 1,250 euros a month and is due on the 1st.
reply - | I can remind you.
"""


class Sentence(NamedTuple):
    """A sentence, who says it, and the kind that it is to be kept as; None where it is not to be kept."""

    speaker: str
    kind: str | None
    text: str


# What the labels say of kinds: an identity is a fact, and a rule a procedure.
_KINDS = {"identity": "fact", "rule": "procedure", "-": None}


def labelled(turns: str) -> list[tuple[Turn, list[Sentence]]]:
    """Return each turn with the labels of its sentences."""
    return [_turn(paragraph.splitlines()) for paragraph in turns.strip().split("\n\n")]


def _turn(lines: list[str]) -> tuple[Turn, list[Sentence]]:
    sentences = []
    for line in lines:
        said, text = line.split(" | ", 1)
        speaker, kind = said.split()
        sentences.append(Sentence(speaker, _KINDS.get(kind, kind), text))
    said_by = {name: " ".join(one.text for one in sentences if one.speaker == name) for name in ("user", "reply")}
    tools: dict[str, list[str]] = {}
    for one in sentences:
        if one.speaker.startswith("tool:"):
            tools.setdefault(one.speaker[5:], []).append(one.text)
    calls = [{"name": name, "result": " ".join(results)} for name, results in tools.items()]
    return Turn(said_by["user"], said_by["reply"], calls), sentences
