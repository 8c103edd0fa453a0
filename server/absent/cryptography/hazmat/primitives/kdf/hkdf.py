"""Stand-in for the key derivation of a package that is not included; see buildtools/unused_dependencies.py."""


class HKDF:
    """Cannot be instantiated."""

    def __init__(self, **options: object) -> None:
        raise NotImplementedError("cryptography is not part of Autology, which serves standard input and output alone")
