"""What lies outside the tests' own folders, as it was before the first test got its environment."""

import os
from pathlib import Path

from house.isolation import measuring

REPOSITORY = Path(__file__).resolve().parent.parent.parent
REAL_HOME = Path(os.path.expanduser("~"))
SHARED_DATA = Path(os.environ.get("WUU_SHARED_DATA") or REPOSITORY.parent / "shared" / "data")
MEASURING = measuring(os.environ)
