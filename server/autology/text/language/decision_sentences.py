"""Sentences that state a decision: what was chosen, agreed on or ruled out."""

from __future__ import annotations

from autology.text import Patterns

LONGEST = 500
"""Characters of such a sentence with the one that gives its reason; longer text is a passage."""
SHORTEST = 15

_WORDS = (
    "we chose|we've chosen|i chose|let's go with|let us go with|decided (?:to|on|against|that|not)|we(?:'ll| will)"
    " (?:go with|use|stick (?:with|to)|keep using|adopt|standardi[sz]e on)|going with|go with option|settled on|agreed"
    " (?:to|on|that)|opted (?:for|to)|the decision is|decision:|decided:|final decision|we(?:'re| are) (?:not )?going"
    " (?:to use|with)|we rejected|ruled out|we picked|instead of .{2,60}, (?:we|let's)|from now on"
)
_patterns = Patterns(
    {
        "mark": r"\A[-*#> ]*(?:\d{1,3}[.)]\s+)?",
        "decides": rf"(?i)\b(?:{_WORDS})(?:\b|(?<=:))",
        "asks": r"(?i)\A\W*(?:should|shall|could|would|what|which|why|how|did|do|have|has|if|when|who|can)\b",
        "reason": r"(?i)\A\W*(?:because|since|so that|the reason|this|that|it|otherwise|as)\b",
    }
)
# Every deciding sentence has one of these strings: checked first, in a tenth of the time.
_HINTS = (
    *("chose", "decid", "decision", "go with", "going ", "settled", "agreed", "opted", "rejected", "ruled out"),
    *("picked", "instead", "from now", "will use", "'ll use", "will stick", "'ll stick", "adopt", "standardi"),
    *("will keep", "'ll keep"),
)


def decisions(text: str) -> tuple[str, ...]:
    """Return the sentences of *text* that state a decision, each with the sentence that gives its reason, if any."""
    if not _is_hinted(text):
        return ()
    from autology.text.language.sentences import sentences  # a hook mostly meets no hint

    result: list[str] = []
    for paragraph in text.split("\n"):
        if not _is_hinted(paragraph):
            continue
        stated = list(sentences(paragraph))
        for at, sentence in enumerate(stated):
            if not SHORTEST <= len(sentence) <= LONGEST or not _decides(sentence):
                continue
            after = stated[at + 1] if at + 1 < len(stated) else ""
            reason = (
                f" {after}"
                if after and _patterns["reason"].match(after) and len(sentence) + len(after) < LONGEST
                else ""
            )
            result.append(_patterns["mark"].sub("", sentence, count=1) + reason)
    return tuple(dict.fromkeys(result))


def _is_hinted(text: str) -> bool:
    low = text.lower()
    for hint in _HINTS:  # noqa: SIM110 - called for every line ever said: half the time of `any`
        if hint in low:
            return True
    return False


def _decides(sentence: str) -> bool:
    return (
        _is_hinted(sentence)
        and not sentence.endswith("?")
        and not _patterns["asks"].match(sentence)
        and _patterns["decides"].search(sentence) is not None
    )
