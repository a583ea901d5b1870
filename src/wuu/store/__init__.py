"""The disk: where the home is, safe reads, durable writes, locks and transactions."""
