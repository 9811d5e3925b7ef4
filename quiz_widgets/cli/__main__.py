"""``python -m quiz_widgets.cli``: the command without its script."""

import sys

from quiz_widgets.cli import main

sys.exit(main())
