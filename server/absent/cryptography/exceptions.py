"""Errors of a package that is not here; see left_out.py of the build."""


class InvalidTag(Exception):  # noqa: N818 - its name there
    """Never raised: there is nothing here that could."""
