"""The evidence of a small course. It needs a package that is not there: a check reads it, and runs nothing."""

import package_that_nobody_has as torch

from quiz_widgets.demos import Fact, Facts, evidence


@evidence("format_bytes", requires=("package_that_nobody_has",))
def format_bytes() -> Facts:
    """Bytes of one number in each format."""
    return Facts({"fp32": Fact(torch.float32.itemsize, "bytes"), "fp16": Fact(torch.float16.itemsize, "bytes")}, "4, 2")
