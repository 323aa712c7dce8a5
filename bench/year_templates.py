"""The sentences of `bench/year.py`, of own writing: one set to look at and tune with, one held apart for the report.

Both were written before the first run, and nothing was changed after looking at what goes wrong in REPORT. Of its 48
sentences about facts four are in both, such as "{thing} is at {value}." A block is a family of facts: its name, the
sort of its values and what the facts are about; then sentences that tell one (+), that tell that it changed (!), and
questions (?). {old} is the value that held before. A block that begins with "rules" has a rule and a question for which
it matters on each line; "chatter" has what a user says, what is replied and, behind a second bar, what a tool gave
back. {about} is one of the things that facts are about.
"""

from __future__ import annotations

from typing import NamedTuple


class Family(NamedTuple):
    """Facts of one sort: what they are about, and how they are told, changed and asked for."""

    name: str
    values: str
    things: list[str]
    tells: list[str]
    changes: list[str]
    questions: list[str]


class Sentences(NamedTuple):
    families: list[Family]
    rules: list[tuple[str, str]]  # and a question for which it matters
    chatter: list[tuple[str, str, str]]  # said, replied, what a tool gave back or ""


def sentences(text: str) -> Sentences:
    found = Sentences([], [], [])
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        if head == "rules":
            found.rules.extend(_bars(line)[:2] for line in lines)
        elif head == "chatter":
            found.chatter.extend(map(_bars, lines))
        else:
            found.families.append(_family(head, lines))
    return found


def _family(head: str, lines: list[str]) -> Family:
    name, values, things = head.split(": ")
    marked = [[line[2:] for line in lines if line[0] == mark] for mark in "+!?"]
    return Family(name, values, things.split(", "), *marked)


def _bars(line: str) -> tuple[str, str, str]:
    """Return the parts of a line between bars, three with those that are not there."""
    first, second, third, *_ = (*(part.strip() for part in line.split("|")), "", "")
    return first, second, third


TUNING = """
port: port: the search service, the billing service, the mail gateway, the login service, the export worker
+ {thing} listens on port {value}.
+ The port of {thing} is {value}.
! {thing} listens on port {value} now.
! Correction: the port of {thing} is {value}.
! {thing} moved to port {value}.
? Which port does {thing} listen on?
? What was the port of {thing} again?

host: host: the staging database, the orders database, the session cache, the message queue, the metrics store
+ {thing} is at {value}.
+ {thing} runs on {value}.
! {thing} moved to {value}.
! {thing} is at {value} now, not at {old}.
! We migrated {thing} from {old} to {value}.
? Where is {thing}?
? On which host does {thing} run?

owner: person: the checkout module, the tax report, the design system, the onboarding guide, the data pipeline
+ {value} owns {thing}.
+ The owner of {thing} is {value}.
! {value} took over {thing} from {old}.
! {thing} is owned by {value} now.
! The owner of {thing} is {value} from today on.
? Who owns {thing}?
? Whom do I ask about {thing}?

deadline: date: the audit, the Lisbon pitch, the tax filing, the beta, the grant proposal, the security questionnaire
+ The deadline of {thing} is {value}.
+ {thing} is due on {value}.
! {thing} was postponed to {value}.
! The deadline of {thing} is {value} now.
! The deadline of {thing} moved from {old} to {value}.
? When is {thing} due?
? What is the deadline of {thing}?

meeting: weekday: the planning meeting, the design review, the retrospective, the call with Priya, the budget round
+ {thing} is on {value}.
+ {thing} takes place on {value}.
! {thing} is on {value} now.
! {thing} was moved to {value}.
! Actually, {thing} is on {value}, not on {old}.
? On which day is {thing}?
? When do we have {thing}?

limit: number: the upload limit, the page size, the retry count, the worker count, the session timeout, the batch size
+ {thing} is {value}.
+ We set {thing} to {value}.
! {thing} was changed to {value}.
! {thing} is {value} now.
! We changed {thing} from {old} to {value}.
? What is {thing}?
? What did we set {thing} to?

version: version: the web app, the scoring job, the build image, the admin tool, the mobile backend
+ {thing} runs on Python {value}.
+ {thing} uses Python {value}.
! We upgraded {thing} to Python {value}.
! {thing} runs on Python {value} now.
? Which Python does {thing} run on?
? Which version of Python does {thing} use?

home: city: my sister, my brother, my landlord, my cousin, my accountant
+ {thing} lives in {value}.
+ {thing} is based in {value}.
! {thing} moved to {value}.
! {thing} lives in {value} now.
? Where does {thing} live?
? In which city is {thing}?

budget: money: the spring campaign, the office move, the hiring round, the team offsite, the laptop refresh
+ The budget of {thing} is {value} euros.
+ {thing} has a budget of {value} euros.
! The budget of {thing} was cut to {value} euros.
! The budget of {thing} is {value} euros now.
? How much is the budget of {thing}?
? How much may {thing} cost?

format: format: my reports, my release notes, my meeting notes, my invoices, my diagrams
+ I prefer {value} for {thing}.
+ I want {thing} as {value}.
! I prefer {value} for {thing} now.
! I no longer want {thing} as {old}, I prefer {value} for {thing}.
! I'd rather have {thing} as {value}.
? How do I want {thing}?
? In which format are {thing} to be?

rules
Never push directly to main. | May I push this to main?
Always run the smoke tests before a release. | What has to happen before a release?
Do not share customer data with anyone outside the company. | Can I send the customer data to the agency?
From now on, write all commit messages in English. | In which language do I write the commit message?
You must never restart the production database without asking me. | Shall I restart the production database?
Never delete a backup that is younger than 90 days. | Can I delete the backup of last month?
Before deploying on a Friday, ask me. | It is Friday, can I deploy?
Always use UTC in log files. | Which time zone do we use in log files?
Never store passwords in the wiki. | Can I put the password into the wiki?
Pull requests must always have two reviewers. | How many reviewers does a pull request need?

chatter
Good morning, how are you? | Fine, thank you. What are we working on?
Thanks, that helps a lot. | You're welcome!
Can you look at {file}? | I fixed the failing test in {file}. | pytest: {n} passed, {m} failed in {k} seconds.
Please run the tests. | They are through. | pytest: {n} passed, {m} failed in {k} seconds.
Could you refactor {file}? | I refactored {file} and removed {m} unused functions.
Write a docstring for the second function, please. | Here it is, as a comment above the function.
What do you think about {about}? | It depends on what you need it for.
Remind me to look at {about} later. | I will, at the end of the session.
Is there anything new about {about}? | Not that I know of.
Show me the diff of {file}. | The diff has {n} lines, most of them whitespace.
How do generators work in Python? | A generator yields values one at a time.
I think we should talk about {about} some time. | Good idea, shall I note some questions?
Maybe I will rewrite {file} next month. | That would make the tests simpler, too.
We fixed {m} bugs in {file} yesterday. | Great, well done!
I finished the review of {file} this morning. | Thanks for letting me know.
The ticket {n} is about {file}. | All right.
No, the other one. | Ah, sorry, now I see it.
Translate the last paragraph to French, please. | Voilà, it is below.
I just deployed {file} to the test cluster. | Good, I will watch the logs. | deploy: finished in {k} seconds.
"""

REPORT = """
extension: number: the front desk, the Kyoto office, the server room, the night porter, the workshop
+ The extension of {thing} is {value}.
+ You reach {thing} at extension {value}.
! The extension of {thing} is {value} now.
! {thing} has a new extension: {value}.
! Update: the extension of {thing} changed from {old} to {value}.
? What is the extension of {thing}?
? How do I reach {thing} by phone?

folder: folder: the nightly dumps, the scanned receipts, the raw recordings, the training set, the press photos
+ {thing} are stored in {value}.
+ We keep {thing} in {value}.
! {thing} are in {value} now.
! We moved {thing} from {old} to {value}.
! {thing} were moved to {value}.
? Where are {thing}?
? In which folder do we keep {thing}?

lead: person: the Atlas project, the robotics team, the translation effort, the user study, the website redesign
+ {value} leads {thing}.
+ The lead of {thing} is {value}.
! {value} is the new lead of {thing}.
! {thing} is led by {value} now.
! {value} replaced {old} as the lead of {thing}.
? Who leads {thing}?
? Who is in charge of {thing}?

start: date: the pilot, the spring semester, the field trip, the renovation, the clinical trial, the second sprint
+ {thing} starts on {value}.
+ The start of {thing} is {value}.
! {thing} was rescheduled to {value}.
! {thing} starts on {value} instead of {old}.
! {thing} now starts on {value}.
? When does {thing} start?
? On which date does {thing} begin?

lesson: time: my piano lesson, my Spanish class, my physio appointment, my rowing practice, my choir rehearsal
+ {thing} is at {value}.
+ {thing} starts at {value}.
! {thing} is at {value} now.
! {thing} was moved to {value}.
! Correction, {thing} starts at {value}.
? At what time is {thing}?
? When do I have to be at {thing}?

setting: number: the cache size, the step size, the connection limit, the alarm threshold, the poll interval
+ {thing} is set to {value}.
+ {thing} is {value}.
! {thing} went from {old} to {value}.
! We lowered {thing} to {value}.
! {thing} is {value} these days.
? What is {thing} set to?
? How high is {thing}?

release: version: the label printer, the lab database, the router firmware, the payroll system, the chat server
+ {thing} is on release {value}.
+ We run {thing} with release {value}.
! {thing} was updated to release {value}.
! {thing} is on release {value} now.
? Which release is {thing} on?
? What release of {thing} do we run?

employer: company: my wife, my neighbour Jonas, my old tutor, my brother-in-law, my climbing partner
+ {thing} works at {value}.
+ {thing} works for {value}.
! {thing} works at {value} now.
! {thing} left {old} and works at {value}.
! {thing} joined {value}.
? Where does {thing} work?
? For which company does {thing} work?

price: money: the parking permit, the gym membership, the storage plan, the office cleaning, the map licence
+ {thing} costs {value} euros a month.
+ The price of {thing} is {value} euros a month.
! {thing} costs {value} euros a month now.
! The price of {thing} rose to {value} euros a month.
? How much does {thing} cost?
? What do we pay for {thing}?

taste: format: my summaries, my shopping lists, my travel plans, my drafts, my tables
+ I prefer {value} for {thing}.
+ I like {thing} as {value}.
! I prefer {value} over {old} for {thing}.
! I prefer {value} for {thing} these days.
! From now on I want {thing} as {value}.
? How do I like {thing}?
? What do I prefer for {thing}?

rules
Never send an invoice without a second pair of eyes. | Can I send the invoice out?
Always ask me before you book a flight. | Shall I book the flight to Rome?
You must not share the patient list with the sponsor. | The sponsor asks for the patient list, may I send it?
Under no circumstances open the freezer during a run. | Can we open the freezer?
Don't delete raw recordings, even when the disk is full. | The disk is full, which recordings can I delete?
From now on, all letters to the city go out in German. | In which language do we write to the city?
Whenever a sensor fails, call the night porter first. | A sensor has failed, what do I do?
Smoking is forbidden in the workshop. | May a guest smoke in the workshop?
You must never enter the server room alone. | I go to the server room, anything to know?
Never answer questions of the press yourself. | A journalist has a question, what do I answer?

chatter
Good evening. | Good evening, what is on your mind?
Can you proofread {file}? | I corrected {m} typos in {file}.
Please check the spelling in {file}. | Done, it looks fine. | spellcheck: {n} words checked, {m} errors.
Convert {file} to the new template, please. | I converted {file} and archived the original.
How long do I boil an egg? | Six to eight minutes, as you like it.
Did anything happen with {about}? | Nothing that I have seen.
Let's come back to {about} tomorrow. | Fine, tomorrow then.
What would you ask about {about}? | I would begin with the costs and the risks.
I am worried about {about}, to be honest. | What worries you most?
Open {file} and count the rows. | It is open. | reader: {n} rows loaded, {m} rows skipped, finished in {k} seconds.
Perhaps we should drop the chapter about {file}. | It does repeat what the introduction says.
Hm, no, that is not what I meant. | Sorry, could you say it in other words?
I finished {m} pages of {file} last night. | That is good progress.
We shipped {n} boxes on Tuesday. | Well done, that must have been a long day.
Invoice {n} is for {m} chairs. | Noted, thanks.
Could you make the title of {file} shorter? | How about the first half of it?
I slept badly, so be patient with me. | We can take it slowly.
I booked {m} seats for the concert yesterday. | Enjoy it! | tickets: order {n} confirmed, paid and sent.
"""
