"""Floor 2: the derived index of a directory, its ranking, and the lines to show. Imports nothing by itself."""
