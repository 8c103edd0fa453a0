"""Stand-in for the ciphers of a package that is not included; see buildtools/unused_dependencies.py."""


class AESGCM:
    """Cannot be instantiated."""

    def __init__(self, key: bytes) -> None:
        raise NotImplementedError("cryptography is not part of Autology, which serves standard input and output alone")
