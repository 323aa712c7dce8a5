"""How a model is told to set its instructions aside, in the imperative of some twenty languages."""

from typing import Final

_ORDERS: Final = (
    "(?:instructions?|directions|directives?|prompts?|rules|guidelines|commands|orders|programming|training"
    "|constraints|restrictions|safeguards|policies)"
)
_EARLIER: Final = "(?:previous|prior|above|earlier|preceding|foregoing|former|existing|original|initial|current|system)"
_IGNORE: Final = (
    "(?:ignore|disregard|forget|override|bypass|overrule|discard|neglect|do not follow|don't follow|stop following)"
)
_THESE: Final = "(?:all |any |every |each )?(?:of )?(?:the |your |my |our |these |those |this |its )?"
_ALL: Final = "(?:all |any )?(?:of )?"
_TOLD: Final = "you (?:were|have been)"

_ENGLISH: Final = (
    rf"\b{_IGNORE} {_THESE}{_EARLIER}(?: [\w-]{{1,20}}){{0,2}} {_ORDERS}\b",
    rf"\b{_IGNORE} {_ALL}your(?: [\w-]{{1,20}})? {_ORDERS}\b",
    rf"\b{_IGNORE} (?:all|any|every) {_ORDERS}\b",
    rf"\b{_IGNORE} {_ALL}(?:the |these |those )?{_ORDERS} (?:above|before|{_TOLD} given)\b",
    rf"\b{_IGNORE} (?:everything|anything|all|what) (?:that )?(?:came |is |was )?(?:above|before this|{_TOLD} told)\b",
)
_GERMAN: Final = (
    r"\b(?:ignorier(?:e|en|t)|missachte[nt]?|vergiss|vergesst|vergessen)(?: sie)?(?: bitte)?"
    r" (?:alle |sämtliche |die |deine |ihre ){0,2}"
    r"(?:vorherigen|bisherigen|vorigen|vorangegangenen|vorhergehenden|obigen|früheren)"
    r" (?:anweisungen|instruktionen|befehle|regeln|vorgaben)"
)
_ROMANCE: Final = (
    r"\b(?:ignore[zr]?|oublie[zr]?|faites abstraction de|fais abstraction de) (?:toutes )?(?:les |tes |vos )?"
    r"(?:instructions|consignes|directives|règles) (?:précédentes|antérieures|ci-dessus|initiales)",
    r"\b(?:ignor[ae]|ignorar|olvid[ae]|haz caso omiso de) (?:todas )?(?:las |tus |sus )?"
    r"(?:instrucciones|órdenes|indicaciones|reglas|directrices) (?:anteriores|previas|iniciales)",
    r"\b(?:ignora(?:te)?|dimentica(?:te)?) (?:tutte )?(?:le |i )?(?:tue |vostre )?"
    r"(?:istruzioni|indicazioni|direttive|regole|comandi) (?:precedenti|iniziali)",
    r"\b(?:ignor[ae]|ignorem|esqueç[ae]|desconsider[ae]) (?:todas )?(?:as )?(?:suas |tuas )?"
    r"(?:instruções|orientações|regras|ordens) (?:anteriores|prévias|acima|iniciais)",
)
_OTHER_EUROPEAN: Final = (
    r"\b(?:negeer|vergeet) (?:alle )?(?:de |je |uw )?(?:vorige|eerdere|voorgaande|bovenstaande)"
    r" (?:instructies|opdrachten|regels)",
    r"\b(?:zignoruj|ignoruj|zapomnij) (?:wszystkie )?(?:poprzednie|wcześniejsze|powyższe)"
    r" (?:instrukcje|polecenia|zasady)",
    r"\b(?:(?:про)?игнорируй|забудь)(?:те)? (?:все )?(?:предыдущие|прошлые|прежние|вышеуказанные)"
    r" (?:инструкции|указания|команды|правила)",
    r"\b(?:önceki|yukarıdaki)(?: tüm)? (?:talimatları|komutları|yönergeleri)"
    r" (?:yok say|unut|görmezden gel|dikkate alma)",
)
_ASIAN: Final = (
    r"(?:忽略|无视|無視|忘记|忘記|忽視)掉?你?(?:之前|以上|上面|先前|前面|此前|所有|全部|一切){1,3}的?(?:所有|全部)?的?"
    r"(?:指令|指示|提示词?|说明|說明|規則|规则|命令|要求)",
    r"(?:これまで|今まで|以前|上記|前述)の(?:すべての|全ての)?(?:指示|命令|指令|ルール|プロンプト)[はを]"
    r"(?:すべて|全て)?(?:無視|忘れ)",
    r"(?:이전|위|앞)의? ?(?:모든 )?(?:지시|명령|지침)(?:사항)?[을를은는]? ?(?:모두 )?(?:무시|잊)",
    r"(?:تجاهل|انس)(?: جميع| كل)? (?:التعليمات|الأوامر|الإرشادات)(?: السابقة| أعلاه)",
    r"(?:पिछले|पूर्व|ऊपर के)(?: सभी)? (?:निर्देशों|आदेशों) (?:को|की) (?:अनदेखा|उपेक्षा|नज़रअंदाज़|भूल)",
)

OVERRIDES: Final = (*_ENGLISH, _GERMAN, *_ROMANCE, *_OTHER_EUROPEAN, *_ASIAN)
