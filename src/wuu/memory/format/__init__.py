"""The form of a memory: as a file, as a value, as JSON. It knows no shelf but the one it is told."""
