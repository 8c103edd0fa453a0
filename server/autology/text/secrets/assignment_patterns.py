r"""The forms in which names get values, as patterns: assignments, calls, options, sentences, blocks."""

from __future__ import annotations

from autology.text import Patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

_QUOTED = (
    r"(?:[bruf@]{1,2}(?=[\"']))?(?:\"(?:\"\")?(?P<double>(?:[^\"\\\r\n]|\\[^\r\n]){1,512})"
    r"|'(?:'')?(?P<single>(?:[^'\\\r\n]|\\[^\r\n]){1,512})|`(?P<tick>[^`\r\n]{1,512}+)"
    r"|\\{1,7}[\"'](?P<escaped>[^\"'\\\r\n]{1,512}+)|[“„«「『‘](?P<curly>[^”“»」』’\r\n]{1,512}+)"
    r"|&quot;(?P<entity>[^&\s]{1,512}+))"
)
_BARE = r"(?P<bare>[^\s\"'`,;<>(){}\[\]|、。「」]{1,512}+)"
_EXPRESSIONS = {
    # NAME = value, "name": "value", name: type = value, name -> value, <name>value, - name: NAME\n  value: value
    "assigned": r"(?P<suffix>[\w.-]{0,40}+)(?P<closed>\\{0,7}[\"'`]|&quot;)?[\])]?[*_]{0,3}(?:[ \t]?\[[^\]\n]{0,30}\]"
    r"|[ \t]\([^)\n]{0,40}\))?"
    r"[ \t]{0,8}+(?:(?P<sign>=>|->|:=|\?=|==?|[→⇒—–|│]|:(?:[ \t]{0,3}[a-z_.\[\]|?&<>' ]{1,30}?[ \t]{0,3}=(?![=>]))?)"
    r"[ \t]{0,16}+(?:[*_]{1,3}[ \t]?)?"
    r"|(?P<marked>>|&gt;)|\s{1,3}\s{0,16}value:[ \t]{1,4})" + f"(?:{_QUOTED}|{_BARE})",
    "copula": r"(?P<suffix>)(?P<sign>[是为為はが])[: \t]{0,4}" + f"(?:{_QUOTED}|(?P<bare>[!-~]{{6,200}}+))",
    "result": r"\"result\":[ \t]{0,4}\"([^\"\n]{6,200})\"",
    # "name", "value" and "name" value="value", set_name("value")
    "argument": r"(?P<suffix>[\w.-]{0,40}+)(?:\\?[\"'`](?:\)?[ \t]{0,3},[ \t]{0,4}|[ \t]{1,4}value[ \t]?=[ \t]?)"
    r"|[ \t]?\([ \t]{0,3})" + _QUOTED,
    # "name": {… "value": "value"}, variable "name" {… default = "value"}
    "inside": r"(?P<suffix>[\w.-]{0,40}+)\\?[\"'`]?[ \t]{0,3}[:=]?[ \t]{0,3}\{[^{}]{0,300}?(?<![\w-])"
    r"\\?[\"']?(?:value|default|data|string|plaintext)"
    r"\\?[\"']?[ \t]{0,8}[:=][ \t]{0,8}" + _QUOTED,
    # auth=("user", "value"), auth("user", "value"), [("user", "value"), …]
    "pairs": r"(?P<suffix>[\w.-]{0,40}+)[\"'`]?[ \t]{0,3}[:=]?[ \t]{0,3}[(\[{]",
    "two": r"[\s(\[{,]{0,20}[bruf]?[\"']([^\"'\n]{1,80})[\"'][ \t]{0,3}[,:]\s{0,20}(?:[Ss]ome\()?[bruf]?([\"'])"
    # Not possessive: before Python 3.11.5 such a group fails if it contains a lookahead.
    r"((?:(?!\2)[^\\\r\n]|\\.){4,200})\2\s{0,8},?\s{0,8}[)\]}]",
    # name: | and the lines below it that are indented deeper
    "block": r"(?P<suffix>[\w.-]{0,40}+)[\"'`]?[ \t]{0,8}:[ \t]{1,4}[|>][-+0-9]{0,2}[ \t]{0,8}(?:#[^\n]{0,80})?\r?\n",
    "name": r"[\w.-]{0,40}+\\{0,7}[\"'`]?[\])]?[*_]{0,3}[ \t]{0,8}+",
    # --name value, and setx NAME value
    "flag": r"(?P<suffix>[\w-]{0,20}+)[ \t]{1,4}+(?:" + _QUOTED + "|" + _BARE + ")",
    # the password is value, password for her is value, set the password to value, password value
    "said": r"(?P<suffix>\w{0,6}+)[ \t]{1,4}+(?:(?:for|of|on|from|de|del|do|da|du|von|för|voor|от"
    r"|для)[ \t]{1,3}\S{1,30}[ \t]{1,3})?"
    r"(?P<verb>(?:is|was|to|are|be|it's|es|est|ist|lautet|é|è|jest|är|er|=|:)[ \t]{1,3}(?:now[ \t]{1,3}"
    r"|set[ \t]{1,3}to[ \t]{1,3})?|)"
    r"(?:[\"'`](?P<double>[^\"'`\s]{1,512}+)|[“„«「『‘](?P<curly>[^”“»」』’\r\n]{1,512}+)|(?P<bare>[^\s\"'`<>()]{1,512}+))",
    # password for the NAS: value, the client secret they sent us is value
    "gap": r"(?P<suffix>\w{0,6}+)(?P<gap>(?:[ \t]{1,3}[\w@#&/'’,-]{1,30}+){0,8}?)"
    r"(?P<verb>[ \t]?[:=]|[ \t][-–—](?=[ \t])|[ \t]{1,3}(?:is|was|to|es|est|ist|lautet|é|è|jest|är)(?:[ \t](?:now"
    r"|still|again))?:?)"
    r"(?:[ \t]{0,8}\r?\n){0,2}[ \t]{0,8}(?:[\"'`](?P<double>[^\"'`\s]{1,512}+)"
    r"|[“„«「『‘](?P<curly>[^”“»」』’\r\n]{1,512}+)"
    r"|(?:(?<=[\s:=])(?=\S{0,60}\d)|(?<=[:=])|(?<=[:=][ \t]))(?P<bare>[^\s\"'`<>()]{1,512}+))",
    "listed": r"(?P<suffix>[\w.-]{0,40}+)</(?:td|th|dt|b|strong|label|span|key"
    r"|code)>\s{0,20}(?:</?[a-z]{1,10}[^<>]{0,100}>\s{0,20}){1,4}"
    r"(?P<bare>[^\s<>]{1,512}+)(?=<)",
    # Code, not a password with punctuation: call(, Vec<u8>, ;next=, a => b
    "expression": r"^[A-Za-z_][\w.]*[(\[<{]|[;,&][\w ]+=|=>|->|\)\.|\(\)|[{}]",
    # credentials: user / value
    "pair": r"(?P<suffix>[a-z]{0,9}+)[ \t]{0,3}[:=]?[ \t]{1,4}[\w.@+-]{1,60}(?:[ \t]{1,3}/[ \t]{1,3}|[/:])"
    r"(?P<bare>[^\s\"'`,<>()]{1,512}+)",
    "digit": r"\d",
    "letters": r"\w{0,6}+",
    "word": r"[_-]?(?:words?|wd|wort|ord|phrase|code)(?:_?(?:value|text|string))?",
    "salt": r"[!#$%^&*~?].*[!#$%^&*~?]",
    "blind": r"[\w.-]{0,40}+[\"'`]?[ \t]{0,4}+[:=]=?[ \t]{0,4}+[\"'`]?"
    r"((?=[^\s\"'`]{0,40}[0-9])[\w!#%&*+/=.~^?@-]{12,}+)",
    "call": r"[A-Za-z_][\w.]*[(\[]",
    "rest": r"[^\s\"'`,;<>(){}\[\]|、。「」]*+",
    "line": r"[^\s]{0,512}+",
    "parts": r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+",
}
FORMS = Patterns(_EXPRESSIONS)
