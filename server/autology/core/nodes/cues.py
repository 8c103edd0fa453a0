"""Cues for a note's type: the form of its title, its sections, its phrases, each with its weight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autology.model.node import NodeType

DECISION, COMPONENT, CONVENTION = NodeType.DECISION, NodeType.COMPONENT, NodeType.CONVENTION
CONCEPT, PATTERN, ISSUE, SESSION = NodeType.CONCEPT, NodeType.PATTERN, NodeType.ISSUE, NodeType.SESSION


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that indicates a type, with its weight in log odds."""

    type: NodeType
    weight: float
    pattern: re.Pattern[str]


def _cues(type: NodeType, *patterns: tuple[float, str]) -> list[Cue]:
    return [Cue(type, weight, re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for weight, pattern in patterns]


# Weights were set by hand on the training half of the labelled records (bench/classifier.py), in steps of 0.5: 2 or
# more for what would convince a person, 1 or less for a hint.

_CHOOSES = (
    r"use|adopt|add|remove|drop|replace|move|switch|record|write|keep|allow|support|separate|introduce|rename|store|"
    r"choose|make|split|do not|don't|no|avoid|provide|include|put|let|send|build|default|migrate|deprecate|require|"
    r"propose|clarify|define"
)

TITLES: Sequence[Cue] = [
    *_cues(
        DECISION,
        (2.0, r"^(?:adr|rfc|otep|kep|pep)[ -]?\d+\b|architecture decision record|^decision\b"),
        (1.0, rf"^(?:\d+[.:)] +)?(?:{_CHOOSES})\b"),
        (1.0, r"^\d{1,4}[.:)] |\bproposal\b|\bdesign doc|\binstead of\b|\bover\b.*\bfor\b| vs\.? (?!code\b)"),
    ),
    *_cues(
        COMPONENT,
        (
            1.5,
            (
                r"\b(?:component|module|service|package|library|parser|adapter|client|server|worker|daemon|plugin|"
                r"api)$"
            ),
        ),
        (0.5, r"(?-i:^[a-z][\w.-]*(?: [a-z][\w-]*)?$)"),
        (
            1.0,
            (
                r"^`[^`]+`$|^[a-z0-9_./-]+\.(?:py|js|ts|go|rs|java|rb|c|h)$|"
                r"(?-i:^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+$)|^\w+::\w+"
            ),
        ),
        (1.0, r"\b(?:command(?: line)?|commands|cli|view|editor|engine|index|store|queue|cache|scheduler)$"),
    ),
    *_cues(
        CONVENTION,
        (2.5, r"\b(?:conventions?|guidelines?|style guide|code of conduct|best practices?|standards?|coding style)\b"),
        (2.0, r"^how to\b|\b(?:guide|checklist|strategy|workflow|runbook|playbook|tutorial|instructions|rules?)$"),
        (
            1.5,
            (
                r"^(?:publish|publishing|releas|import|deploy|install|test|writ|nam|format|commit|review|"
                r"contribut|migrat|generat|edit|remov|export|sync|sett|getting started|get started)(?:e|ing|"
                r"ing up|)\b"
            ),
        ),
        (1.5, r"^using\b|\btests?\b|\btesting\b|^when (?:not )?to\b"),
        (1.0, r"\bmigrat(?:ion|ing)\b"),
        (1.0, r"\b(?:always|never|must|should|prefer)\b|\b(?:approach to|naming|permissions? for|recommended)\b"),
    ),
    *_cues(
        CONCEPT,
        (3.0, r"\b(?:glossary|terminology|vocabulary|definitions?|concepts?|terms|principles?)\b"),
        (2.5, r"^what (?:is|are|does|do)\b|\b(?:meaning|lifecycle|life cycle) of\b|^understanding\b"),
        (1.0, r"\b(?:model|mode|overview|domain)$"),
    ),
    *_cues(
        PATTERN,
        (15.0, r"^\{|^<!--|^\[[^\]]+\]$"),
        (3.0, r"\bpattern\b|\btemplates?$|^template\b"),
        (1.5, r"\b(?:repository|factory|observer|decorator|strategy|circuit breaker|outbox|saga|idiom|recipe)$"),
    ),
    *_cues(
        ISSUE,
        (4.0, r"^(?:\w+ )?(?:open|known|related|current) (?:questions?|issues?|problems?|limitations?|differences)\b"),
        (
            3.0,
            (
                r"\b(?:bug|troubleshooting|limitations?|drawbacks?|regression|tech(?:nical)? debt|workaround|"
                r"caveats?)\b"
            ),
        ),
        (
            2.5,
            (
                r"\b(?:fails?|failing|failed|breaks?|broken|crash(?:es|ed)?|hangs?|leaks?|times? out|timeouts?|"
                r"deadlocks?|races?|flaky|slow|wrong|missing|loses?|lost|stuck|corrupt\w*|error|errors|exception|"
                r"panic)\b"
            ),
        ),
        (
            2.5,
            (
                r"\b(?:doesn't|don't|does not|do not|can't|cannot|can not|isn't|won't|never) (?:work|start|load|"
                r"build|open|return|find|match|show|save|run)|^problems?\b|\bnot (?:working|supported|found)\b"
            ),
        ),
    ),
    *_cues(
        SESSION,
        (
            3.0,
            (
                r"^session\b|\b(?:stand-?up|retro(?:spective)?|sprint|hand-?over|daily|weekly|meeting|"
                r"work) ?(?:notes?|log|summary)?\b.*\d"
            ),
        ),
        (2.5, r"\b\d{4}-\d\d-\d\d\b|\b(?:session|progress|status|work) (?:notes?|summary|report|log)\b"),
        (2.0, r"^(?:today|yesterday|worked on|finished|done)\b|\b(?:accomplished|wrap-?up|changelog)\b"),
    ),
]
"""Cues in the title."""

SECTIONS: Sequence[Cue] = [
    *_cues(
        DECISION,
        (2.5, r"^(?:the )?decision(?: outcome| drivers| made)?$"),
        (
            2.0,
            (
                r"^(?:considered options|alternatives(?: considered)?|prior art(?: and alternatives)?|"
                r"rejected alternatives)$"
            ),
        ),
        (2.0, r"^(?:consequences|(?:positive |negative )?consequences|trade-?offs(?: and mitigations)?|rationale)$"),
        (
            1.0,
            (
                r"^(?:context(?: and problem statement)?|motivation|proposal|explanation|internal details|"
                r"future possibilities|pros and cons(?: of the options)?|status|confirmation|proposed \w+|"
                r"solution|goals)$"
            ),
        ),
    ),
    *_cues(
        COMPONENT,
        (
            1.5,
            (
                r"^(?:usage|synopsis|options|flags|arguments|subcommands|api|interface|global options|parameters|"
                r"properties|responsibilities|dependencies|endpoints|configuration|settings|features|how it works|"
                r"public api|methods)$"
            ),
        ),
        (
            1.0,
            (
                r"^(?:examples?|use cases|tips|advanced|basic \w+|related|see also|\w+ (?:options|syntax|commands|"
                r"view|panel))$"
            ),
        ),
    ),
    *_cues(
        CONVENTION,
        (2.0, r"^(?:rules?|guidelines?|conventions?|do|don'?ts?|standards|exceptions|enforcement(?: \w+)?|good|bad)$"),
        (
            1.5,
            (
                r"^(?:instructions?|steps?|prerequisites|set-?up|installation|quick start|required extensions|"
                r"(?:running|getting|creating|adding|setting|deploying|publishing|customi[sz]ing|enabling|"
                r"configuring) .*|(?:create|add|push|turn on|configure|install|enable|set up|deploy|publish|"
                r"download|what's next\??)\b.*|step \d.*)$"
            ),
        ),
    ),
    *_cues(
        CONCEPT,
        (
            2.0,
            (
                r"^(?:definition|terminology|glossary|terms|meaning|what (?:is|are) .*|when is .*|"
                r"how is .* defined.*)$"
            ),
        ),
        (1.0, r"^(?:principles|examples? of .*|attributes|states?|lifecycle)$"),
    ),
    *_cues(
        PATTERN,
        (
            2.5,
            (
                r"^(?:intent|when to use(?: it)?|applicability|known uses|participants|where (?:it is )?used|"
                r"structure)$"
            ),
        ),
        (2.0, r"\{[^}]+\}|\[title[^\]]*\]"),
    ),
    *_cues(
        ISSUE,
        (
            3.0,
            (
                r"^(?:symptoms?|steps to reproduce|reproduction|workarounds?|root cause|(?:actual|"
                r"expected) (?:behaviou?r|result)|stack ?trace|impact|how to reproduce|environment|fix)$"
            ),
        ),
    ),
    *_cues(
        SESSION,
        (
            2.5,
            (
                r"^(?:done|accomplished|completed|what (?:was|we|i) (?:done|did)|in progress|blockers?|"
                r"next(?: steps| time)?|still open|left to do|remaining(?: work)?|summary of (?:the )?(?:session|"
                r"work)|today|yesterday)$"
            ),
        ),
    ),
]
"""Cues in the headings of sections."""

PHRASES: Sequence[Cue] = [
    *_cues(
        DECISION,
        (
            1.5,
            (
                r"\bwe (?:will|decided|chose|choose|have decided|agreed|opted|settled)\b|\b(?:was|is) (?:chosen|"
                r"decided|rejected)\b"
            ),
        ),
        (1.5, r"\bchosen option\b|\bin favou?r of\b|\bdecision:"),
        (0.5, r"\brather than\b|\binstead of\b"),
        (2.0, r"\bthis (?:proposal|otep|rfc|adr|document proposes)\b|^proposal\b"),
        (1.0, r"\bpropos(?:e|es|ed|al)\b|\balternatives?\b|\btrade-?offs?\b"),
    ),
    *_cues(
        COMPONENT,
        (
            1.5,
            (
                r"\b(?:is responsible for|exposes|wraps|implements the|entry point|is the (?:module|service|class|"
                r"component|package|library) (?:that|which)|lives in|listens on)\b"
            ),
        ),
        (
            1.0,
            (
                r"^(?:the )?\S+(?: \S+){0,3} (?:provides|displays|shows|lists|prints|renders|supports|lets you|"
                r"allows you|handles|stores|reads|writes|manages|enables|adds|updates|creates|reports|finds|"
                r"searches)\b"
            ),
        ),
        (
            1.0,
            (
                r"\b(?:command palette|foam supports|`--?\w[\w-]*`|subcommand|exit code|stdin|"
                r"you can (?:also )?(?:use|configure|customi[sz]e))\b"
            ),
        ),
    ),
    *_cues(
        CONVENTION,
        (
            1.0,
            (
                r"\b(?:always|never) \w+|\bmust(?: not)? \w+|\bdo not \w+|\bwe (?:use|prefer|follow|avoid|write|"
                r"name|expect)\b"
            ),
        ),
        (
            1.0,
            (
                r"\bthis (?:guide|recipe)\b|\bfollow (?:the|these)\b|\bmake sure\b|\bremember to\b|"
                r"\bpull requests?\b|\bcontribut\w+"
            ),
        ),
        (
            1.0,
            (
                r"^\s*\d+\. (?:\*\*)?(?:create|open|go|run|install|add|click|select|copy|download|set|enable|"
                r"update|make|commit|push|check)\b"
            ),
        ),
        (
            0.5,
            (
                r"\bshould\b|\b(?:npm|yarn|pip|brew|bundle|gem|docker|git|rake|govuk-docker) (?:install|run|add|"
                r"push|pull|commit|exec|init)\b"
            ),
        ),
    ),
    *_cues(
        CONCEPT,
        (
            1.5,
            (
                r"\b(?:refers? to|is defined as|are defined as|is called|means that|stands for|denotes?|is a term|"
                r"is a kind of)\b"
            ),
        ),
        (1.0, r"\A\W*(?:an?|the)? ?[\w -]{2,40} (?:is|are) (?:an?|the|any|what)\b"),
        (0.5, r"^[-*] +\**`?\w[\w -]{1,30}`?\**(?: ?[:–-]\**|:\**) +(?:an?|the|any)\b"),
    ),
    *_cues(
        PATTERN,
        (
            1.5,
            (
                r"\b(?:whenever|wherever) (?:you|we|a|an|the)\b.*\b(?:use|apply|wrap)\b|\bused in (?:several|many|"
                r"more than one|two|three)\b"
            ),
        ),
        (1.5, r"\b(?:this|the|same) pattern\b|\breusable\b|\{[a-z][^}\n]{3,60}\}"),
    ),
    *_cues(
        ISSUE,
        (
            1.5,
            (
                r"\b(?:workaround|reproduce[ds]?|stack ?trace|traceback|throws|segfault|regression|known (?:bug|"
                r"issue|problem))\b"
            ),
        ),
        (
            1.0,
            (
                r"\b(?:fails?|failed|failing|broken|crash(?:es|ed)?|bug|does(?: not|n't) work|not supported|"
                r"no longer works?|times out|out of memory|leaks?|wrong(?:ly)?|unclear|undecided|tbd|"
                r"to be decided|limitation|technical debt)\b"
            ),
        ),
        (1.0, r"\?(?:\s|\Z)"),
    ),
    *_cues(
        SESSION,
        (
            1.5,
            (
                r"\b(?:this|today's|last) session\b|\btoday(?:,| we| i)\b|\bwe (?:finished|fixed|implemented|"
                r"added|worked|shipped|merged)\b"
            ),
        ),
        (
            1.5,
            (
                r"^[-*] +(?:\[x\] )?(?:fixed|added|implemented|refactored|removed|merged|wrote|updated|finished|"
                r"completed|started)\b"
            ),
        ),
        (
            1.0,
            (
                r"^(?:next|todo|remaining|done|blocked|left)(?: steps)?:|\bnext (?:steps?|time|session)\b|"
                r"\baccomplished\b"
            ),
        ),
    ),
]
"""Cues in the first words of the text."""
