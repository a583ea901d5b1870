"""The Markdown notebook: topics, their index, and what a session gets of them. The door is actions."""
