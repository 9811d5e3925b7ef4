"""What quiz_widgets costs next to its peers, measured side by side: ``.venv/bin/python benchmarks/peers.py --quick``.

How it is measured and how to run it again is in docs/benchmarks.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script sees its own folder only

from benchmarks.compared.command import main

if __name__ == "__main__":
    sys.exit(main())
