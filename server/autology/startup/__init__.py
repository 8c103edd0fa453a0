"""The first second of the server: the client's handshake and lists are answered while the rest is loaded.

Only the standard library is used here, because the executable runs this before it is unpacked.
"""
