"""Computes drawn numbers."""

from quiz_widgets.demos import Fact, Facts, evidence


@evidence("weights_of_a_course")
def weights(billions: float = 7) -> Facts:
    """Two bytes for each weight."""
    gibibytes = billions * 1e9 * 2 / 2**30
    return Facts({"value": Fact(gibibytes, "GiB"), "bits": Fact(8 * gibibytes)}, f"{gibibytes:g} GiB")
