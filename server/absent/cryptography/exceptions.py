"""Stand-in for the errors of a package that is not included; see buildtools/unused_dependencies.py."""


class InvalidTag(Exception):  # noqa: N818 - its name there
    """Never raised."""
