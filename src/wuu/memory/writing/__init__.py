"""Plans that change memories, and what they are refused for. Nothing here commits."""
