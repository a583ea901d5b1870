"""Approval-first memories: one Markdown file each, with a life of pending, saved and archived (seed 002)."""
