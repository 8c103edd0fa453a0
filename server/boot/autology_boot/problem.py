"""What keeps the program from starting, said so that a person knows what to do."""


class Problem(Exception):  # noqa: N818 - it is what a person is told
    """The program cannot start here. *what* is wrong, and *remedy* is the next step; both are sentences."""

    def __init__(self, what, remedy):
        Exception.__init__(self, what + " " + remedy)
        self.what = what
        self.remedy = remedy
