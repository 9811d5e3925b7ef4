"""Firefox's engine grades, reads numbers and orders options exactly as Python does: the tests and cases of Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from quiz_widgets.frontend import bundle
from tests.firefox.driving import Firefox
from tests.frontend import test_golden_cases as chromium
from tests.frontend.mounting import document

pytestmark = pytest.mark.slow

globals().update({name: test for name, test in vars(chromium).items() if name.startswith("test_")})


@pytest.fixture
def functions(firefox: Firefox) -> Any:
    tab = firefox.open(document())
    script = bundle.bundle({"cases.js": chromium.ENTRY})["cases.js"]
    tab.evaluate(f"() => {{ {script}() }}")
    return tab
