from quiz_widgets.demos import Fact, Facts, evidence


@evidence("format_bytes")
def format_bytes() -> Facts:
    return Facts({"bytes": Fact(4)}, "4 bytes")
