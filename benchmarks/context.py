"""How long `wuu memory context` takes, and what more memories cost it.

Run by hand: `python benchmarks/context.py`. What the figures mean is in docs/explanation/speed.md; which
memories it finds is measured by `silence.py`.
"""

import os
import sys
import time

from measuring import installed_wheel, parse_options, print_table, without_verdict

from memory import LARGE, QUICK_SHARE, SETTLING_SECONDS, SMALL, Homes, growth_of

# What the index answers for a prompt, without anything that is made of it.
_PROBE = """
import json, os, sys, time
from wuu.search.index import open_index
from wuu.search.ranking import score_pieces
from wuu.text.words import words
folder, place, query = sys.argv[1:]
began = time.perf_counter()
with os.scandir(folder) as entries:
    stats = [entry.stat(follow_symlinks=False) for entry in entries]
scanned = time.perf_counter()
with open_index(place) as index:
    (found,) = score_pieces(index.find_pieces([words(query)]))
    index.read_times(found.shared.keys())
    index.read_newest(100)
print(json.dumps([scanned - began, time.perf_counter() - scanned]))
"""


def main() -> int:
    """Measure, print the table, and return 1 if a goal was missed."""
    options = parse_options("How long wuu memory context takes, and how it grows.")
    share = QUICK_SHARE if options.quick else 1
    small, large = SMALL // share, LARGE // share
    with installed_wheel() as place:
        homes = Homes(place)
        for size in (small, large):
            homes.folder(size)
        os.sync()
        time.sleep(SETTLING_SECONDS)
        rows = growth_of(homes, "context", homes.context, _PROBE, (small, large), options)
    if options.quick:
        rows = without_verdict(rows)
    return 0 if print_table(f"{options.runs} rounds, Python {sys.version.split()[0]}", rows) else 1


if __name__ == "__main__":
    sys.exit(main())
