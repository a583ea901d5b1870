"""Whether the suite is to look at everything: with `WUU_THOROUGH=1`, as `scripts/prove.py` asks for.

Owns the switch; what is left out without it, and why that is enough, is said where it is left out.
"""

import os

VARIABLE = "WUU_THOROUGH"
THOROUGH = bool(os.environ.get(VARIABLE))
