"""The memories as a tool that a model calls: one JSON object in, one out. Its door is `actions`."""
