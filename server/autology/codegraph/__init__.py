"""The code graph of a project: what is defined where, and what calls, uses, imports, extends and overrides what."""
