"""What an agent gets for a prompt: which saved memories, in which order, in which form, and why."""
