"""What English sentences look like that state rules, preferences, identities, decisions, corrections, results.

Each pattern is searched for in one sentence of at most 400 characters, so none needs to be quick on long texts. They
lean towards leaving out: what is not kept can be said again, what is kept wrongly speaks up for a long time.
"""

from __future__ import annotations

import re
from typing import Final


def _any(*wordings: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{wording})" for wording in wordings), re.IGNORECASE)


# What may stand before a sentence without being part of what it says.
OPENING: Final = re.compile(
    r"(?:(?:also|and|but|so|well|ok|okay|oh|hey|hi|hello|sure|yes|yeah|no|right|thanks|thank you|great|cool|anyway|plus"
    r"|by the way|btw|fyi|for the record|just so you know|one more thing|note|nota bene|remember|(?:please )?note that"
    r"|(?:please )?remember that|please remember|keep in mind that|don't forget that|actually|correction)"
    r"(?:[,:!]\s*|\s+(?=that\b|I\b|my\b|we\b|our\b|the\b)))+",
    re.IGNORECASE,
)

_AUXILIARIES: Final = "can|could|would|will|do|does|did|is|are|was|were|have|has|should|may|shall|am|isn't|aren't|don't"
_SOMEBODY: Final = "you|i|we|it|he|she|they|there|the|this|that|my|your|our|anyone|anybody|someone"

# What is never a statement, whatever else it holds: questions, wishes to the assistant, guesses, what-ifs, moods.
NEVER: Final = _any(
    r"\?[\"')\]]*$",
    rf"^(?:please\s+)?(?:{_AUXILIARIES})\s+(?:{_SOMEBODY})\b",
    r"^(?:what|how|why)\b",
    r"^if\b(?!.*,\s+(?:please\s+)?(?:always|never)\b|.*\b(?:has|have) to\b|.*\bmust\b)",
    r"^(?:unless|suppose|imagine|assuming|maybe|perhaps|hopefully|let me|let us see|let's see|thank|sorry)\b",
    r"\bI (?:think|guess|suppose|wonder|hope|wish|feel|believe|doubt|assume)\b",
    r"\b(?:I|we)(?:'m|'re| am| are| was| were|'ve been| have been) (?:\w+ly |also |just |still )?(?:not sure"
    r"|trying|looking"
    r"|thinking|wondering|considering|planning|hoping|wanting|going to|about to|just|so|too|a (?:bit|little)|confused"
    r"|excited|glad|happy|curious|interested|open to|meaning to|getting ready|aware|afraid)\b",
    r"\bI(?:'ve| have)? (?:also )?heard\b",
    r"\bI(?:'ll| will) (?:definitely|certainly|probably|also|make sure|be sure|check|try|look|see|let|give|take"
    r"|send|have"
    r"|get|do|go|start|keep|think|ask|talk|need|be)\b",
    r"^(?:for example|as an example|for instance|speaking of|as you can|according to|regarding|imagine|in the (?:novel"
    r"|film|movie|story|book|song|game|article))\b",
    r"\bI mean\b(?!,? not)",
    r"\b(?:I|we)(?:'d| would) (?:like|love) (?:to|you|some|an?)\b",
    r"\bI (?:want|need) (?:you )?to\b(?! (?:always|never))",
    r"\bmight\b|\bcould (?:be|have|go|need|want|work|help)\b|\b(?:I|we) (?:could|should) (?!always|never)",
    r"\b(?:asked|told|reminded) (?:me|us) about\b",
    r"\blet's say\b|\b(?:for|just) today\b|\btoday only\b|\bthere(?:'s| is) an? (?:saying|joke|proverb|story)\b",
    r"\bwould (?!rather\b|prefer\b|be (?-i:[A-Z]))",
    r"\b(?:haven't|hasn't|have not|has not|didn't|did not|not yet|can't|cannot) (?:\w+ )?(?:decide|choose|chosen"
    r"|agree on)",
    r"\b(?:for now|this time|just this once|just kidding|never mind)\b",
    r"\b(?:you're|you are) (?:right|welcome|great|awesome)\b",
)

# What a sentence points to and does not say: alone it would mean nothing.
ELSEWHERE: Final = _any(
    r"^(?:this|that|these|those|such|here|same|both|neither|either)\b(?:'s|'re|'ll)?"
    r"\s+(?:\w+ly )?(?:is|was|are|were|will|would|has|had|have|can|could|should|may|might|must|do|does|did|goes|go"
    r"|looks?|seems?|works?|worked|means?|makes?|made|sounds?|helps?|helped|fixed|fixes|failed|broke|needs?|takes?)\b",
    r"^(?:this|that|these|those)(?:'s|'re|'ll)\b",
    r"\b(?:this|that|these|those)(?: one| ones)?[.!]*$",
    r"\bthe (?:former|latter|above|following|other one|others|same one|old ones?|new ones?|second|first|third)\b"
    r"(?![-\w]| (?!is\b|was\b|and\b|or\b|but\b|with\b|for\b|in\b)[a-z])",
    r"\b(?:first|second|third|last|other) (?:one|option|approach)\b",
    r"\boption [a-d1-9]\b",
    r"\b(?:as (?:above|before|discussed|mentioned)|mentioned above)\b",
)
PRONOUN: Final = re.compile(r"\b(?:it|they|them|he|she|him|its|their|theirs|his|hers)\b", re.IGNORECASE)
# What a pronoun behind it may stand for.
ANTECEDENT: Final = re.compile(
    r"\b(?:(?:the|my|our|your|an?|each|every|all|no)\s+\w+|(?<!^)[A-Z]\w+|[A-Z]\w+(?=\s+[a-z]+s\b))"
)
# Pronouns that point to nothing: "it's Bob who does", "it's 16 April for the hearing", "they raised our rent".
EXPLETIVE: Final = re.compile(
    r"\bit(?:'s| is| was) (?:not )?(?:[\w:./'-]+ ){1,3}(?:for|that|who|we|I|you|to|when|where|since)\b"
    r"|^they(?:'ve|'re|'ll)?(?= .*\b(?:the|my|our)\b)|^it (?:says|said|turns out|turned out)\b",
    re.IGNORECASE,
)
# What only the one who speaks, or the one who is spoken to, makes clear.
PERSON: Final = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours|you|your|yours)\b", re.IGNORECASE)

_DO: Final = (
    "use|push|commit|merge|delete|deploy|touch|change|modify|edit|send|write|call|share|store|log|run|add"
    "|remove|install"
    "|mention|include|suggest|rename|publish|email|contact|schedule|book|reply|answer|ask|assume|skip|expose|put|open"
    "|close|create|check|make|update|tell|notify|test|review|restart|keep|commit|sign|back|confirm|start|stop|format"
)
_PAST: Final = (
    r"(?:thought|wanted|wondered|knew|understood|believed|liked|loved|hated|had|was|were|been|got|felt|found"
    r"|\w+(?<!ne)(?<!spe)(?<!mb)ed)\b"
)

RULE: Final = _any(
    rf"^(?:please\s+)?(?:always|never)\s+(?!{_PAST})(?!again|mind|ever\b|say never)[a-z]+\b",
    r"\bmust(?:n't| not| never| always)\b",
    r"\b(?:you|we|everyone|everybody|nobody|agents?|developers?) (?:must|should|have to|need to) (?:always|never"
    r"|not)\b",
    rf"\bwe (?:always|never) (?!{_PAST})[a-z]+\b",
    r"^(?:please )?(?:from now on|going forward|from here on)\b",
    r"\b(?:you|please|always|never|don't|do not|must|only)\b.*\b(?:from now on|going forward|from here on)\b",
    rf"^(?:{_DO})\b.*\b(?:from now on|going forward|from here on)\b",
    r"^(?:from|starting|as of|effective) (?:now|today|tomorrow|here|(?-i:[A-Z])\w+day)\b,? (?:please )?"
    rf"(?:always|never|only|no\b|{_DO})",
    r"^(?:from|starting|as of) (?:now|today|tomorrow)\b,? please\b",
    r"^(?!I\b|we\b|it\b|there\b|this\b|that\b)(?:[\w'-]+ ){1,6}(?:must|has to|have to|needs? to) (?:only |first )?"
    r"(?:stay|be \w+ed\b|have|remain|go through|include|contain|use|follow|pass|come with|carry|agree|approve|sign)\b",
    r"\b(?:ask|check with|tell|warn|consult|notify) (?:me|us) (?:\w+ )?(?:before|first)\b"
    r"(?! \w+ (?:paragraph|line|page|part))",
    r"^(?:please\s+)?leave\b.*\b(?:as (?:it|they) (?:is|are)|alone|untouched|exactly)\b",
    r"^(?:nobody|no one|no-one|everyone|everybody|anyone|no [a-z]+)(?: (?:from|in|on"
    r"|of) [\w ]+?)? (?-i:(?!was\b|has\b|is\b)"
    r"[a-z]+s)\b.* (?:on|before|after|without|in|at|during|until|unless)\b",
    r"^(?:before|after|when|whenever|every time|each time) you\b[^,:]*[,:] (?:no|never|always|only|please)\b",
    r"\b(?:under no circumstances|without exception|at all times|strictly forbidden|strictly prohibited)\b",
    r"\b(?:is|are) (?:forbidden|prohibited|not allowed|mandatory)\b",
    rf"^(?:please\s+)?(?:do not|don't|dont) (?:ever )?(?:{_DO})\b",
    r"\b(?:make|be) sure (?:to|that you|you) (?:always|never)\b",
    r"^(?:please\s+)?(?:make|be) sure\b.*\b(?:doesn't|don't|does not|do not|never|always|nobody|no one)\b",
    r"\b(?:aren't|isn't|not|never) (?:allowed|supposed|permitted) to\b",
    r"^(?:please\s+)?keep\b.*\bout of\b",
    r"^(?:please\s+)?stop \w+ing\b",
    r"^(?:all|every|each) \w+(?: \w+)? (?:in|as|with|without) ",
    r"^(?:whenever|every time|each time) (?:you|we|i|somebody"
    r"|someone)\b[^,]{3,120}, (?:please )?[a-z]+ (?!will\b|was\b|is\b)",
    r"^(?:before|after|when|whenever|every time|each time|if)\b[^,]{3,120},\s+(?:please\s+)?"
    rf"(?:always|never|first|{_DO})\b",
    r"^no \w+ (?:on|in|to|after|before|without)\b",
)

_CLAUSE: Final = r"(?:^|[,;] |\b(?:and|but|because|so) )"
_NOTHING: Final = r"(?! (?:it|this|that|these|those|the idea|how|what|your)\b)"

# In which format somebody's own things are to be, in whatever words.
_FORMAT: Final = (
    "plain text|pdf|markdown|html|latex|csv|asciidoc|slides|(?-i:Word)|json|yaml|xml|docx|xlsx|excel|epub|odt"
    "|powerpoint"
)
PREFERENCE: Final = _any(
    rf"^(?!(?:I|we) (?:\w+ed|sent|made|wrote|got)\b)(?=.*\b(?:my|our)\b).*\b(?:as|in|into|to) (?:{_FORMAT})\b",
    rf"\b(?:{_FORMAT})\b.* for (?:my|our)\b",
    rf"{_CLAUSE}I (?:\w+ly |much |do |also |still )?"
    rf"(?:prefer|hate|dislike|detest|can't stand|cannot stand|love|adore)\b{_NOTHING}",
    rf"{_CLAUSE}I (?:\w+ly |also |do )?(?:don't |do not )?(?:\w+ly )?(?:like|enjoy)\b{_NOTHING}",
    r"\bI(?:'d| would) rather\b",
    r"\bI(?:'d| would) prefer\b",
    r"\bI (?:don't |do not )?want (?:my|all|every|your|answers|replies|you to (?:always|never))\b",
    r"\bmy (?:favou?rite|preferred|go-to|usual)\b[^.]* (?:is|are)\b",
    rf"\b(?:I) (?:always|never|usually|normally|typically) (?!{_PAST})[a-z]+\b",
    r"^(?:please\s+)?(?:answer|reply|respond|speak|talk|write)(?: to me)? (?:in|with|briefly|informally|formally)\b",
    r"\b(?:keep|make) (?:your|the|all) (?:answers?|replies|responses?|messages?|explanations?|summaries|comments)\b",
)

_STANDING: Final = (
    "vegetarian|vegan|allergic|left-handed|colou?r-?blind|dyslexic|deaf|diabetic|lactose|pregnant|married|divorced"
    "|single|retired|bilingual|based in|from|responsible for|in charge of|on the|\\d+(?: years old)?"
)
_KIN: Final = (
    "wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|son|daughter|kids?|children|mother|father|mom|mum"
    "|dad|parents"
    "|brother|sister|dog|cat|boss|manager|team|company|employer|birthday|anniversary|job|role|title|e-?mail|phone"
    "|address|time ?zone|hometown|doctor|landlord|car|laptop|keyboard|shell|colleague|cousin|aunt|uncle|niece|nephew"
    "|grandmother|grandfather|name|surname|flat|apartment|house|school|university"
)
IDENTITY: Final = _any(
    r"\b(?:call me|I go by)\b (?!back|later|when|if|tomorrow)",
    r"\bI(?:'m| am)(?: also| currently| now)? (?:an?|the) (?!bit|little|lot|few|couple|tad|mess|while|fan|big|huge)",
    r"^I(?:'m| am) (?-i:[A-Z])\w+(?:,| and|\.|$)",
    rf"\bI(?:'m| am|'ve been| have been)(?: also| currently| a| an)* (?:{_STANDING})\b",
    r"\bI (?:\w+ly )?(?:work|live|study|teach|grew up|was born|come from|moved to|own|manage|lead|speak|maintain"
    r"|graduated|majored|run an?)\b",
    r"\bI(?:'ve| have) (?:an?|one|two|three|four|five|\d+) (?:\w+ )?(?:years?|kids?|child(?:ren)?|dogs?|cats?|sons?"
    r"|daughters?|sisters?|brothers?|allergy|degree|phd|siblings)\b",
    rf"\bmy (?:\w+ )?(?:{_KIN})(?:'s (?:\w+ )?\w+| \w+)? (?:is|are|was|lives?|works?|uses?|runs?|has|starts?|turns?"
    r"|needs?)\b",
    rf"\bmy (?:{_KIN})'s (?:\w+ ){{0,3}}(?:is|are|was|has|called|named|allergic|from|in|at)\b",
    r"\b(?:(?-i:[A-Z])\w+|(?:my|our) \w+)(?:'s| is| are| was) (?:a )?(?:vegetarian|vegan|allergic|left-handed"
    r"|colou?r-?blind"
    r"|dyslexic|deaf|diabetic|pregnant|married|divorced|retired|responsible for|in charge of)\b",
)

DECISION: Final = _any(
    r"(?<!to )(?<!not )\b(?:decided|agreed|settled on|opted for|voted)\b",
    r"\b(?:we|I)(?:'ve| have)? (?:finally |just )?(?:chosen|chose|picked|committed to)\b",
    r"\b(?:we|I)(?:'re| are|'m| am|'ll| will)(?: be)? (?:going with|go with|switching (?:to|from)|switch to|moving to"
    r"|sticking with|stick with|staying with|stay with)\b",
    r"\bwe(?:'re| are|'ll| will)(?: be)? (?:going to )?(?:us(?:e|ing)|adopt(?:ing)?|drop(?:ping)?|migrat(?:e|ing)"
    r"|keep(?:ing)?)\b",
    r"\blet's (?:go with|use|stick with|stay with|keep|adopt|switch to)\b",
    r"\b(?:the decision|the plan) is\b",
    r"\bwe plan to\b",
)

CORRECTION: Final = _any(
    r"\b(?:no longer|not anymore|any longer|used to)\b",
    r"\b(?:was|were|been|is|are|got|gets) (?:renamed|moved|replaced|changed|postponed|cancelled|canceled|rescheduled"
    r"|switched|deprecated|discontinued)\b",
    r"\b(?:moved|changed|switched|went) (?:from\b.{2,60}? )?to\b",
    r"\b(?:instead of|rather than)\b",
    r"\b(?:is|are)\b[^,]* now\b",
    r"\bI meant\b",
    r"\b(?:is|are|was|were|has|have|runs?|uses?|costs?)\b.{2,80}, not\b",
    r"\btook over\b",
    # What is otherwise since: "we raised the limit to 50", "we migrated the cache from db4 to db5".
    r"^(?:we|I)(?:'ve| have)? (?:just )?(?:set|changed|moved|raised|lowered|increased|reduced|cut|renamed|migrated"
    r"|upgraded|downgraded|extended|shortened|switched)\b.{2,80}\bto\b[^,]*(?:\d|`|(?-i:[A-Z]))",
)

_DONE: Final = (
    "deployed|shipped|released|merged|migrated|fixed|resolved|finished|completed|passed|failed|crashed|broke|launched"
    "|published|upgraded|downgraded|rolled back|reverted|installed|signed|submitted|booked|ordered|paid|won|lost|bought"
    "|sold|hired|graduated"
)
_CHANGED: Final = (
    "created|added|removed|updated|renamed|changed|moved|switched|wrote|configured|enabled|disabled|replaced|deleted"
    "|scheduled|sent|opened|closed|increased|reduced|reformatted|corrected|refactored|restarted|archived|uploaded"
    "|downloaded|generated|converted|split|implemented|built|tested|cleaned"
)
RESULT: Final = _any(rf"(?<!to be )(?<!would have )(?<!could have )(?<!should have )(?<!not )\b(?:{_DONE})\b")
# What somebody lived through, with the time of it.
EVENT: Final = _any(
    r"^(?:I|we)(?:'ve| have)? (?:also |actually )?(?:recently|just|finally)\b(?! (?:about|in|for|on)\b)",
    r"^(?:I|we)(?:'ve)? (?:\w+ )?(?:\w+ed|got|went|saw|met|bought|took|gave|had|made|ran|won|lost|began|came|flew|ate"
    r"|read|wrote)\b.*\b(?:yesterday|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter)|\w+ ago"
    r"|on the \d+|on (?-i:[A-Z])\w+ \d+(?:st|nd|rd|th)?|in (?:19|20)\d\d)\b",
)
# A result is told of what was done, not of what is to be: no future, no condition.
UNDONE: Final = _any(
    r"\b(?:will|would|could|should|might|must|if|want|need|try|trying|going|soon|later|can|expected)\b"
)
# What an assistant says that it did to the world, not to its own memory.
OWN_RESULT: Final = _any(
    rf"^I(?:'ve| have)? (?:also |now |just )?(?:{_DONE}|{_CHANGED})\b(?! (?:my|your preference|a note))"
)
# What tools give back in a line: the same in the passive or without a subject, and counts of tests.
TOOL_RESULT: Final = _any(rf"\b(?:{_DONE}|{_CHANGED})\b", r"\berror\b")

_NO_NAMES: Final = (
    "The|My|Our|We|You|It|This|That|These|Those|There|Here|He|She|They|His|Her|Its|Their|Your|No|Nobody|Everyone"
    "|Everybody|Someone|Somebody|Anyone|Something|Everything|Nothing|Some|Any|All|Each|Every|One|Once|What|Who|How|Why"
    "|When|Where|Which|Most|Many|Both|Today|Tomorrow|Yesterday|Now|Then|So|And|But|Also|Just"
)
# What a clause is about, where it says so itself: who speaks, or something that both know.
TOPIC: Final = re.compile(rf"^I\b|\b(?:the|my|our)\b|^(?!(?:{_NO_NAMES})\b)(?-i:[A-Z])[\w'.-]+ (?!to\b)", re.IGNORECASE)
# Something that is known to both, or a name at the beginning, that a sentence can be about.
DEFINITE: Final = re.compile(
    r"\b(?:the|my|our|his|her|all|every|each) (?!way\b|moment\b|time\b|first\b|same\b|one\b|best\b|most\b)[\w'`]"
    r"|\bwe\b|\b(?-i:[A-Za-z])\w+'s (?!going|been|being|not)[a-z]"
    r"|^(?-i:(?!I\b)[A-Z])[\w.-]*(?:'s)? (?:\w+ ){0,4}?(?:is|are|was|were|runs?|uses?|lives?|has|have|costs?"
    r"|starts?|ends?"
    r"|takes?|needs?|requires?|owns?|leads?|manages?|maintains?|belongs?|listens?|expires?|closes?|opens?|supports?"
    r"|happens?|goes|contains?)\b",
    re.IGNORECASE,
)
# Something in particular: a number, a path, code, a weekday, a month, a name.
PARTICULAR: Final = re.compile(
    r"\d|`[^`]+`|\w[/_]\w|\w\.\w{2,}|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    r"|(?<=[a-z,;:)] )(?-i:(?!I\b|I')[A-Z][a-z])|(?:(?<= as )|(?<= in )|(?<= to ))(?-i:[A-Z]{2})"
    rf"|^(?!(?:{_NO_NAMES})\b)(?-i:[A-Z])[a-z]+ (?:is|was|has|had|[a-z]+s|took|became|joined)\b.* (?:the|my|our)\b"
)
# A task for now; what is no rule and no preference and begins so states nothing.
TASK: Final = _any(
    r"^(?:please\s+|now\s+)?(?:write|create|make|give|show|tell|explain|translate|summari[sz]e|generate|list"
    r"|find|fix|help"
    r"|rewrite|describe|compare|suggest|recommend|add|remove|deploy|run|send|read|look|check|consider|continue"
    r"|solve|calculate|provide|act|use|draft|design|build|go|try|do|think|turn|convert|analy[sz]e|change(?! of)"
    r"|book|order|buy"
    r"|call|remind|cancel|print|open|count|sort|rename|copy|pick|email|message|text|play|stop|start|paste|compute|spell"
    r"|round|plot|draw|extract|schedule|prepare|search|fetch|download|upload|test|rerun|restart|revert|undo)\b(?!:)"
)
