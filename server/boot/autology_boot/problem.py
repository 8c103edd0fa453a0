"""The error for a program that cannot start, with the next step."""


class Problem(Exception):  # noqa: N818 - shown to the user
    """The program cannot start: *what* describes the problem, *remedy* the next step, both as sentences."""

    def __init__(self, what, remedy):
        Exception.__init__(self, what + " " + remedy)
        self.what = what
        self.remedy = remedy
