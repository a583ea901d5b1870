"""Saved memories and the links between them, as a graph. Its door is `actions`."""
