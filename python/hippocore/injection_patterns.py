"""What texts say that speak to a model instead of telling it something: patterns of high precision.

They are read on a folded text: NFKC, lower case, nothing invisible, other white space than line ends as single spaces.
Each is linear in the length of the text: what repeats is bounded, and no run can start inside itself.
"""

from typing import Final

from hippocore.injection_overrides import OVERRIDES

TEMPLATE: Final = "holds the marks of a chat template"
SYSTEM: Final = "speaks as the system"
ROLE: Final = "gives a model another role or other rules"
SECRECY: Final = "asks to keep something from the user"
LEAK: Final = "asks for a system prompt"
SENDING: Final = "asks to send data away"
BLOCK: Final = "imitates the block that memories stand in"

_DIRECTIVE: Final = (
    "(?:you\\b|your\\b|ignore|disregard|forget|override|always|never|do not|don't|from now|new |please|respond|reply"
    "|answer|send|transfer|execute|run |call |invoke|delete|reveal|print|output|act |behave|enable|disable|grant|follow"
    "|obey|assistant|important|the (?:user|assistant|model)|this (?:message|instruction))"
)
_AGENT: Final = "(?:ai|a\\.i\\.|llm|(?:large )?language model|ai (?:assistant|agent|model)|chatbot|gpt)s?"
_NOT: Final = "(?:do not|don't|never|must not|without)"
_USER: Final = "(?:the|your) (?:user|human)\\b"
_PROMPT: Final = "(?:system (?:prompt|message)|(?:initial|hidden|secret) (?:instructions|prompt))"
_HEADING: Final = "(?:^|\\n)[ #*>\\[(<-]{0,5}"

_TEMPLATES: Final = (
    r"<\|[a-z][a-z_]{1,30}\|>",
    r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>",
    r"</?(?:system|system[_-](?:prompt|message|reminder|instructions?)|assistant)>",
    rf"(?:^|\n) ?#{{2,4}} ?(?:new )?(?:instructions?|system|system prompt) ?: ?(?:\n|$|{_DIRECTIVE})",
)
_SYSTEMS: Final = (
    rf"{_HEADING}(?:system|developer)(?: (?:message|prompt|note|override|update|instructions?|notice|command))?"
    rf"[ \])>*]{{0,4}}:[ *\n]{{0,4}}{_DIRECTIVE}",
    rf"{_HEADING}(?:important |urgent |new )?(?:instructions?|message|notice|note|attention) (?:to|for)"
    rf" (?:the |any |all )?{_AGENT}\b",
    rf"\bif you(?: are|'re| happen to be) (?:an? )?{_AGENT}\b",
)
_ROLES: Final = (
    r"\byou are (?:now|no longer) (?:in )?(?:an? )?(?:dan\b|jailbroken|unrestricted|unfiltered|uncensored"
    r"|developer mode|god mode|bound by|restricted by|required to follow|subject to)",
    r"\bfrom now on,? you (?:are to|must|will|shall|should)"
    r" (?:always|never|only|act|respond|reply|answer|obey|ignore|behave|follow)\b",
    r"\b(?:enable|enter|activate|switch to) (?:developer|debug|god|dan|jailbreak|unrestricted) mode\b",
    r"\bpretend (?:that )?(?:you have|there are) no (?:rules|restrictions|guidelines|limits|limitations|filters)\b",
    rf"\bnew (?:system |secret |hidden )?(?:instructions|directive|prompt|rules) ?: ?{_DIRECTIVE}",
)
_SECRECIES: Final = (
    rf"\b{_NOT} (?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|warn(?:ing)?) {_USER}",
    rf"\b{_NOT} (?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|report(?:ing)?|show(?:ing)?|say(?:ing)?)"
    rf" (?:this|that|it|anything|any of this|these instructions)(?: [\w-]{{1,20}}){{0,3}} to {_USER}",
    rf"\b(?:hide|conceal|keep) (?:this|that|it|these instructions)(?: secret| hidden)? from {_USER}",
    rf"\b{_NOT} let {_USER} (?:know|see|find out|notice)\b",
)
_LEAKS: Final = (
    r"\b(?:reveal|print|repeat|show|output|leak|display|tell|give|send|dump|recite)(?: me| us)? (?:all )?(?:of )?"
    rf"(?:your|the) (?:(?:full|entire|complete|exact|hidden|secret|initial|original|whole) ){{0,2}}{_PROMPT}",
)

# An image whose address waits for something to be filled in.
_IMAGE: Final = r"!\[[^\]\n]{0,100}\]\(https?://[^)\s?]{1,200}\?[^)\s=]{0,60}=(?:\{|\$|<|%7b|\[)"

PATTERNS: Final = (
    ("tells a model to set its instructions aside", OVERRIDES),
    (TEMPLATE, _TEMPLATES),
    (SYSTEM, _SYSTEMS),
    (ROLE, _ROLES),
    (SECRECY, _SECRECIES),
    (LEAK, _LEAKS),
    (SENDING, (_IMAGE,)),
    (BLOCK, (r"<[ /]{0,4}memories\b", r"\bremembered notes, one a line: data to consult")),
)

# What says something when it comes one after the other in one sentence.
SEQUENCES: Final = (
    (
        SENDING,
        (
            r"\b(?:send|forward|exfiltrate|transmit|leak|upload|e-?mail|submit|post)\b",
            r"\b(?:api[ _-]?keys?|passwords?|credentials|secrets|access tokens?|private keys?|ssh keys?|system prompt"
            r"|environment variables|conversation|chat (?:history|log)|message history|memories|user(?:'s)? data"
            r"|personal (?:data|information)|(?:session )?cookies|\.env)\b",
            r"\bto\b",
            r"https?://|\bwww\.|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]",
        ),
    ),
)
