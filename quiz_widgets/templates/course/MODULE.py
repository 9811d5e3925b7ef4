"""What the keys of this course rest on: `quiz-widgets check --evidence .` computes it."""

from quiz_widgets.demos import Fact, Facts, evidence


def grains(square: int) -> int:
    """Grains on a square of the board: one on the first, twice as many on each next one."""
    return 2 ** (square - 1)


@evidence("PREFIX_grains", seconds=0.1)
def grains_of_ten_squares() -> Facts:
    """What lies on the tenth square, and on the ten squares together."""
    together = sum(grains(square) for square in range(1, 11))
    facts = {"tenth": Fact(grains(10), "grains"), "together": Fact(together, "grains")}
    return Facts(facts, f"{grains(10)} grains on the tenth square, {together} on the first ten")


@evidence("PREFIX_million", seconds=0.1)
def doublings_to_a_million() -> Facts:
    """How often one grain is doubled until there are more than a million."""
    count = next(count for count in range(64) if 2**count > 1_000_000)
    return Facts({"value": Fact(count), "one_less": Fact(count - 1)}, f"2**{count} is {2**count}")
