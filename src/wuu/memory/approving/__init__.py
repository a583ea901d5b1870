"""What waits for a person: asking, proposing, approving, rejecting, lapsing. Nothing here commits."""
