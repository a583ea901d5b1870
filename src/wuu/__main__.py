"""`python -m wuu`."""

import sys

from wuu.launch import main

sys.exit(main())
