"""A colour for every vertex type, distinguishable with red-green colour blindness."""

COLOURS = {
    "decision": "#8ecae6",
    "component": "#b7e4c7",
    "convention": "#ffd6a5",
    "concept": "#cdb4db",
    "pattern": "#fdffb6",
    "issue": "#ffadad",
    "session": "#d9d9d9",
    "document": "#f1f1f1",
    "tag": "#e0fbfc",
}


def colour(type: str) -> str:
    """Return the colour for *type*."""
    return COLOURS.get(type, "#ffffff")
