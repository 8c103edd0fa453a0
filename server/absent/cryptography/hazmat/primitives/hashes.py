"""Stand-in for the hashes of a package that is not included; see buildtools/unused_dependencies.py."""


class SHA256:
    """Cannot be instantiated."""

    def __init__(self) -> None:
        raise NotImplementedError("cryptography is not part of Autology, which serves standard input and output alone")
