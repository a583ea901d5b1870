"""wuu: memory that people can trust, for coding agents."""

__version__ = "0.1.0"
