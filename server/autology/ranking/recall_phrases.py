"""Phrases that refer to the past, each with its weight as evidence."""

from __future__ import annotations

# In a phrase: `a|b` either word; `..` up to six words; `~` up to two; `^` the start of a sentence, `$` its end;
# <…> a word list below. Apostrophes are removed: "we'd" is "we d", "didn't" is "didnt".
LISTS = {
    # With every word that ends in -ed.
    "past": "-ed did had made built wrote chose went said found got saw ran set put left hit took kept was were"
    " spoke held gave told threw been done written chosen gone seen taken given came met dealt won lost"
    " sent brought thought drew began knew fell broke stuck meant shot spent caught taught",
    "talked": "discussed talked decided agreed settled concluded said spoke debated mentioned suggested proposed"
    " chose recommended told planned promised wanted considered picked rejected established designed",
    "talk": "discuss talk decide agree settle conclude say speak debate mention suggest propose recommend tell"
    " promise plan define choose pick consider try reject rule",
    "told": "said mentioned suggested proposed recommended told gave wrote showed sent found listed explained"
    " drafted did made came built warned promised named quoted sketched ran measured",
    "tell": "say mention suggest propose recommend tell give write show send find list explain draft come build"
    " measure",
    "wrong": "error errors bug issue problem failure exception crash thing symptom warning traceback regression"
    " leak deadlock timeout race flake flakiness segfault incident outage cert test tests spec",
    "fails": "fails failing failed broken breaks broke crashes crashing flaky flaking happening happens back stuck"
    " hanging hangs red occurring appears appearing slow dies died dying",
    "ask": "what which why how when where whether who whose",
    "span": "week month sprint year quarter time session night release iteration weekend summer winter spring"
    " fall autumn monday tuesday wednesday thursday friday saturday sunday conversation chat discussion"
    " meeting",
    "day": "monday tuesday wednesday thursday friday saturday sunday",
    "month": "january february march april may june july august september october november december spring summer"
    " autumn winter q1 q2 q3 q4",
    "few": "few two three couple several 2 3 4 5",
    "store": "conversation conversations discussion discussions chats chat history memory sessions transcripts session",
    "old": "our past previous earlier old last former",
    "look": "search check look find grep scan go dig read see consult",
    "mind": "remember recall",
    "reason": "reason reasons reasoning rationale outcome conclusion workaround trick decision verdict consensus"
    " argument arguments agreement upshot compromise idea options story plan fix cause alternatives deal"
    " resolution",
    "use": "use apply reuse follow take bring give show find list get copy adapt repeat redo",
    "known": "script command snippet query regex helper recipe hack flag approach library tool workaround trick"
    " scheme format convention pattern policy solution fix patch setup layout envelope numbers",
}

EVIDENCE: dict[str, tuple[tuple[float, str], ...]] = {
    # Something that both have done.
    "act": (
        (1.0, "did|havent|hadnt|didnt we|us"),
        (1.0, "<ask> had|have|d we"),
        (
            1.0,
            "have|had we ever|tried|seen|had|used|considered|discussed|talked|been|already|done|hit|looked|evaluated",
        ),
        (1.0, "^ have|had we ~ <past>"),
        (1.0, "we <talked>"),
        (1.0, "we ve|have|had|d|already|once|previously|also|recently|both ~ <talked>"),
        (1.0, "we must|should|might|may|could have <past>"),
        (1.0, "where|what were we"),
        (1.0, "we left off"),
        (1.0, "way|like|as|same|approach we ~ <past>"),
        (1.0, "similar|same to|as|like what|how we"),
        (1.0, "like|as|same|similar .. we ~ <past>"),
        (1.0, "we had a|some|good reason|reasons"),
        (1.0, "was|were it us|we"),
        (
            1.0,
            "i forgot|forget|recall|remember|believe|thought|think|sure|guess|assume|know that|we we|d|ve|had|already",
        ),
        (1.0, "i asked|told you"),
        (1.0, "have i asked|told|shown you"),
        (1.0, "did i ask|tell|say|want|show"),
        (0.8, "i|im thought|think|believe|sure|assume|know .. we ~ <past>"),
        (0.8, "that|the|those|these .. we ~ <past>"),
        (0.8, "<known> .. we ~ <past>"),
        (0.8, "<ask> .. we ~ <past>"),
        (0.8, "we ve|have|had|d ~ <past>|been"),
        (0.8, "we|i hit|saw|had|met|solved|fixed|seen this|that|it|these|those"),
        (0.8, "we|i ve|have|had already hit|seen|had|solved|fixed"),
        (0.6, "you once|already ~ <told>"),
        (0.6, "<ask> did you ~ <tell>"),
        (0.6, "<ask>|the|that|those|these .. you <told>"),
        (0.6, "you <told>"),
        (0.6, "did i .. get|solve|fix|do|use|call|name"),
        (0.6, "when|while|after we ~ <past>"),
        (0.6, "we ~ <past>"),
        (0.5, "i|we ~ <past>"),
        (0.5, "seen|happened|come|occurred this|up"),
    ),
    # When it was.
    "time": (
        (0.6, "last time"),
        (0.5, "last|past|previous <span>"),
        (0.5, "last|past <few>"),
        (0.5, "since last"),
        (0.5, "yesterday"),
        (0.5, "yesterdays"),
        (0.5, "ago"),
        (0.5, "the other day|week|night"),
        (0.5, "in|since|from|until|of|around last|early|late|mid|the|<month> <month>"),
        (0.5, "in|since|from|until|around <month>"),
        (0.5, "on <day>"),
        (0.5, "before $"),
        (0.5, "before though|and|or|right|no $"),
        (0.5, "seen|happened|up|this|it|one before"),
        (0.5, "earlier|previously|formerly|originally|once"),
        (0.5, "back then|when|in"),
        (0.5, "while|weeks|months ago|back"),
        (0.5, "at some point"),
        (0.5, "in the past|end"),
        (0.5, "during the"),
        (0.5, "recently|lately"),
    ),
    # That it comes back.
    "again": (
        (0.6, "same <wrong> .. again|before|last"),
        (0.6, "same .. <wrong> .. again|last|back"),
        (0.6, "same .. again"),
        (0.6, "this|that .. <wrong> .. again"),
        (0.6, "<fails> again"),
        (0.6, "are|is|am|getting|get|got|seeing|see|s .. <wrong> again"),
        (0.6, "<wrong> .. is|s|are back"),
        (0.6, "all over again"),
        (0.6, "same one"),
        (0.5, "^ <wrong> again"),
        (0.4, "again"),
        (0.4, "already"),
        (0.4, "anymore"),
        (0.4, "still hold|holds|valid|true|stand|open|missing"),
        (0.4, "end|ended|ends up"),
        (0.4, "in the end"),
        (0.4, "same"),
    ),
    # That memory is meant.
    "mind": (
        (1.0, "do|can|did|could|would|dont you|u|we|ya .. <mind>"),
        (1.0, "^ you|u <mind> <ask>|that|the"),
        (1.0, "^ <mind> .. when|how|why|what|that|the we|you|i"),
        (1.0, "^ remember .. we|you <past>"),
        (1.0, "^ recall .. discussion|conversation|decision|we|our"),
        (1.0, "i cant|cannot|dont|couldnt|not <mind>"),
        (1.0, "vaguely|seem|to <mind> .. we|it|that|being|was"),
        (1.0, "remind me <ask>|of|about|again"),
        (1.0, "i forgot|forget <ask> .. we|you"),
        (1.0, "last time we|i|you"),
        (1.0, "prior art"),
        (1.0, "catch|caught|bring me|us up"),
        (
            1.0,
            "recap|summary|rundown of .. last|past|previous|recent .. session|sessions|week|weeks|days|conversations",
        ),
        (1.0, "from|in|of|since the|our|my last|previous|earlier session|conversation|chat|sessions|conversations"),
        (1.0, "from|in our <old> <store>"),
        (1.0, "<look> .. our|past|previous|earlier ~ <store>"),
        (1.0, "<look> in|the|through|up|your memory|history|conversations|transcripts"),
        (1.0, "anything|something in our <store>"),
        (1.0, "<look> .. conversation|discussion|session|chat where|when|about"),
        (1.0, "as discussed|agreed|decided|before|promised"),
        (1.0, "^ like|as last time|before"),
        (1.0, "like|as|same|since|from last time"),
        (1.0, "up|service|it|that|this like|as before"),
        (1.0, "same as before|yesterday"),
        (1.0, "pick|picking|picked .. back up"),
        (1.0, "tell|explain me|us again why|how|what"),
        (1.0, "whatever|what ever happened|became with|to|of"),
        (1.0, "whats|what|is|s the story|history behind|of|with"),
        (1.0, "was|were there a|some .. reason"),
        (1.0, "there was|were .. reason|reasons"),
        (1.0, "back in our|the|those days"),
        (1.0, "we ve|have been here|there before"),
        (1.0, "revisit|reopen|reconsider .. decision|choice|discussion"),
        (0.9, "<reason> was|were"),
        (0.9, "what|which|s|whose|who was|were|s .. our|the|your|that|those .. <reason>"),
        (0.7, "resume|continue|finish|redo|pick .. the|with|on|from"),
        (0.7, "whats|what|s is|left|still left|open|missing from|on|of"),
        (0.7, "wasnt|werent|isnt|didnt there|it|that"),
        (0.6, "any|some notes|record|trace|memory|discussion"),
        (0.6, "where .. stand|stands|stood"),
        (0.6, "dig|look|go up|through"),
        (0.5, "what|anything changed|happened|moved"),
        (0.3, "todo|backlog|plan|roadmap"),
    ),
    # That something is asked for.
    "asks": (
        (0.2, "^ <ask>"),
        (0.2, "<ask>"),
        (0.2, "<use> that|the|it|those"),
        (0.2, "<use> .. here|too|now|again"),
        (0.2, "i|we need|want"),
        (0.2, "?"),
    ),
    # That it is a minute old, and in sight already; or no request at all.
    "in sight": (
        (-1.0, "you|we|i just"),
        (-1.0, "just now|did"),
        (-1.0, "above"),
        (-1.0, "so far"),
        (-1.0, "today"),
        (-1.0, "this pr|branch|session|conversation|commit|diff|patch"),
        (-1.0, "messages|lines|minutes|seconds|prompts|prompt|message ago"),
        (-1.0, "your|the last|previous change|changes|edit|answer|message|commit|reply|diff"),
        (0.0, "^ we <talked>"),
        (-0.4, "^ we ~ <past>"),
        (-0.4, "if|when|whenever|should|must|shall the|a|it|user|users"),
        (-0.4, "a|the|returning|each user|users|customer|viewer|player"),
        (-1.0, "precision|and|total recall"),
    ),
}

# Other languages: phrases that hardly mean anything else, all of whose parts must occur in the prompt.
ELSEWHERE: tuple[tuple[str, ...], ...] = (
    ("wie haben wir",),
    ("wie hatten wir",),
    ("warum haben wir",),
    ("wieso haben wir",),
    ("weshalb haben wir",),
    ("was haben wir",),
    ("was hatten wir",),
    ("hatten wir", "?"),
    ("schon mal", "uns"),
    ("schon mal", "wir"),
    ("damals", "wir"),
    ("letzte woche", "wir"),
    ("letzten monat", "wir"),
    ("schon einmal", "wir"),
    ("haben wir", "beschlossen"),
    ("haben wir", "besprochen"),
    ("wie besprochen",),
    ("erinnerst du dich",),
    ("weißt du noch",),
    ("wie beim letzten mal",),
    ("wie letztes mal",),
    ("letztes mal", "wir"),
    ("comment avait-on",),
    ("comment avions-nous",),
    ("comment a-t-on",),
    ("comment on avait",),
    ("comme la dernière fois",),
    ("la dernière fois", "on "),
    ("semaine dernière", "on "),
    ("avait parlé",),
    ("avions parlé",),
    ("avons parlé",),
    ("pourquoi avait-on",),
    ("pourquoi a-t-on",),
    ("pourquoi avons-nous",),
    ("qu'avait-on décidé",),
    ("on avait décidé",),
    ("avions décidé",),
    ("avons décidé",),
    ("tu te souviens",),
    ("rappelle-moi",),
    ("qué decidimos",),
    ("que decidimos",),
    ("por qué elegimos",),
    ("por qué decidimos",),
    ("cómo hicimos",),
    ("cómo arreglamos",),
    ("cómo resolvimos",),
    ("cómo solucionamos",),
    ("como la última vez",),
    ("la última vez", "mos "),
    ("habíamos",),
    ("acordamos",),
    ("la semana pasada", "mos "),
    ("recuerdas",),
    ("te acuerdas",),
    ("recuérdame",),
    ("a gente resolveu",),
    ("a gente fez",),
    ("o que decidimos",),
    ("por que escolhemos",),
    ("como fizemos",),
    ("como resolvemos",),
    ("da última vez",),
    ("você lembra",),
    ("ti ricordi",),
    ("come avevamo",),
    ("come abbiamo",),
    ("perché abbiamo",),
    ("l'ultima volta",),
    ("напомни",),
    ("помнишь",),
    ("как мы ",),
    ("почему мы ",),
    ("мы решили",),
    ("мы обсуждали",),
    ("мы говорили",),
    ("в прошлый раз",),
    ("上次", "怎么"),
    ("之前", "怎么", "我们"),
    ("上次", "我们"),
    ("我们之前",),
    ("之前我们",),
    ("之前", "我们", "讨论"),
    ("之前", "我们", "决定"),
    ("还记得",),
    ("和上次一样",),
    ("跟上次一样",),
    ("前回と同じ",),
    ("前回", "話した"),
    ("前回", "決め"),
    ("以前", "話した"),
    ("覚えて", "？"),
    ("前に", "どうやって"),
    ("지난번", "우리"),
    ("지난번처럼",),
    ("기억나",),
)

# Prefilter: without one of these words only phrases for times and questions match, which are not enough. It rejects
# seven prompts of ten before the phrases are parsed, which takes 2 ms.
KEYS = frozenset(
    "again agreed agreement already alternatives anymore argument arguments asked back backlog before built"
    " came cause changed chat choice come compromise conclusion consensus continue conversation conversations d"
    " deal decided decision did didnt dig discussed discussion drafted earlier end ended ends ever explained"
    " finish fix fixed found gave go had happened history hit i idea isnt last left listed look made me"
    " measured memory mentioned met missing moved named notes occurred once open options our outcome past pick"
    " plan previous prior promised proposed quoted ran rationale reason reasoning reasons recall recap"
    " recommended record redo remember remind resolution resume roadmap rundown said same saw seen sent session"
    " showed shown sketched solved stand stands still stood story suggested summary todo told trace transcripts"
    " trick upshot us ve verdict warned was wasnt we were werent workaround wrote".split()
)

# Words that ask for the past without saying what about.
ASKING = frozenset(
    "remember recall remind again before previously earlier last time discussed discuss talked talk decide"
    " decided agreed agree said say told tell mentioned suggested used use using way same similar like approach"
    " trick conversation conversations session sessions memory history search look find check ago week month"
    " yesterday while back already ever once settled end ended pick left off continue where were worked work"
    " working happen happening happened please can could hey ok okay just lets let need want now thing stuff"
    " something one some up did done had get got make made do it its im ive id youre weve cant dont didnt"
    " havent there here very exact exactly really think sure pretty maybe no not yes was been being am re ve ll"
    " m d s t u outcome conclusion reason reasoning reject rejected choose chose chosen picked went go going"
    " explain summarise summarize fixed fix solved solve any anything all about also still then than too out"
    " over under down only give gave bring revisit decision prior art us our ours march may june july january"
    " february april august september october november december monday tuesday wednesday thursday friday"
    " saturday sunday today wrote write walk through what which why how when who whose whats a an the and or of"
    " in on for to at by from with into as but if so that this those these i you he she we they me my your"
    " their his her has have does is are leave leaves stand stands catch caught resume recap summary few weeks"
    " days months years times bit lot thanks".split()
)
