"""Which coding agent a transcript is of, and on which machine: the first parts of its name, but for Claude Code's own
here."""

from __future__ import annotations

OWN = "Claude Code"
_SIGN = "@"
"""No folder of Claude Code's transcripts has it in its name."""
_MACHINE = "%"
"""Neither has it this one, which precedes the other."""
_RANDOM = 9
"""Characters that make a machine's name unique, and tell a person nothing."""


def name_of(label: str, inner: str) -> str:
    """Return the name of the transcript that the agent *label* calls *inner*."""
    return f"{_SIGN}{label}/{inner}"


def on_machine(machine: str, transcript: str) -> str:
    """Return the name here of what another machine of the user calls *transcript*."""
    return f"{_MACHINE}{machine}/{transcript}"


def is_mirrored(transcript: str) -> bool:
    """Whether a transcript is of another machine."""
    return transcript.startswith(_MACHINE)


def split_machine(transcript: str) -> tuple[str, str]:
    """Return the part of a transcript's name that tells the machine, "" for this one, and the rest."""
    if not is_mirrored(transcript):
        return "", transcript
    machine, slash, inner = transcript.partition("/")
    return machine + slash, inner


def machine_of(transcript: str) -> str:
    """Return what a person calls the machine that a transcript is of; "" for this one."""
    return split_machine(transcript)[0].removeprefix(_MACHINE).rstrip("/")[:-_RANDOM]


def agent_of(transcript: str) -> str:
    """Return the agent whose transcript that is."""
    inner = split_machine(transcript)[1]
    return inner.partition("/")[0].removeprefix(_SIGN) if inner.startswith(_SIGN) else OWN


def origin_of(transcript: str) -> str:
    """Return " in" and the agent unless it is Claude Code, and " on" and the machine unless it is this one."""
    agent = f" in {agent_of(transcript)}" if is_foreign(transcript) else ""
    machine = machine_of(transcript)
    return f"{agent} on {machine}" if machine else agent


def is_foreign(transcript: str) -> bool:
    """Whether a transcript is of another agent than Claude Code."""
    return split_machine(transcript)[1].startswith(_SIGN)
