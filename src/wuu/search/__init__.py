"""Floor 2: the derived index of a directory, its ranking, and the lines to show. Loads nothing by itself."""
