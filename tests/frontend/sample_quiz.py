"""A small quiz with one item of each kind, built by hand, so that these tests depend on no content."""

from __future__ import annotations

from decimal import Decimal

from quiz_widgets import markup
from quiz_widgets.model import (
    Accept,
    Credit,
    Guide,
    Item,
    Option,
    Quiz,
    Rendered,
    Slip,
    Target,
    Text,
    Tolerance,
    Variant,
)


def text(source: str, *, block: bool = True) -> Text:
    """English text through the real markup."""
    forms = markup.render(source, block=block)
    return Text({"en": Rendered(source=source, html=forms.html, preview=forms.preview, plain=forms.plain)})


def option(name: str, says: str, why: str, *, correct: bool = False) -> Option:
    """One option with its rationale."""
    return Option(name, text(says), correct=correct, rationale=text(why))


def single(
    name: str = "bytes", *, stem: str = "How many bytes does FP16 take?", tries: int = 2, hints: int = 2
) -> Item:
    """Key `two`; distractors `four`, `eight`."""
    return Item(
        id=name,
        stem=text(stem),
        section="formats",
        options=(
            option("two", "Two bytes", "Sixteen bits are two bytes.", correct=True),
            option("four", "Four bytes", "Four bytes are FP32."),
            option("eight", "Eight bytes", "Eight bytes are FP64."),
        ),
        tries=tries,
        hints=tuple(text(f"Clue number {number}.") for number in range(1, hints + 1)),
        explanation=text("A byte has **eight** bits, $16 / 8 = 2$."),
    )


def multiple() -> Item:
    """Partial credit; key `sum`, `norm`; distractors `matmul`, `conv`."""
    return Item(
        id="fp32-ops",
        kind="multiple",
        credit="partial",
        stem=text("Which operations run in FP32?\n\n```python\nimport torch  # with autocast\nx = torch.ones(3)\n```"),
        options=(
            option("sum", "`sum`", "Sums lose small terms.", correct=True),
            option("norm", "`norm`", "Norms overflow.", correct=True),
            option("matmul", "`matmul`", "Matrix products are why one uses FP16."),
            option("conv", "`conv2d`", "So are convolutions."),
        ),
        explanation=text("Reductions need range."),
    )


def number() -> Item:
    """Value 12.5 bytes, 0.1 either way; slip 16."""
    return Item(
        id="adam",
        kind="number",
        stem=text("How many bytes?"),
        value=Decimal("12.5"),
        tolerance=Tolerance("absolute", Decimal("0.1")),
        unit=text("bytes", block=False),
        slips=(Slip("all", text("Sixteen counts the weights as well."), Decimal(16)),),
        explanation=text("Three values of four bytes."),
    )


def drawn() -> Item:
    """A number item of the set `numbers` with two variants: 7 and 8 billion parameters."""
    return Item(
        id="state",
        kind="number",
        set="numbers",
        stem=text("A model has {billions} billion parameters. How many GB of state?"),
        unit=text("GB", block=False),
        slips=(
            Slip(
                "half",
                text("Half of that for {billions} billion."),
            ),
        ),
        draw={"billions": ("7", "8")},
        variants=(
            Variant(Decimal(84), {"half": Decimal(42)}, {"billions": "7"}),
            Variant(Decimal(96), {"half": Decimal(48)}, {"billions": "8"}),
        ),
    )


def pattern(source: str) -> Text:
    """What is accepted, in English."""
    return Text({"en": Rendered(source, source, source, source)})


def typed() -> Item:
    """Accepts gradient accumulation; half for accumulation; knows clipping."""
    return Item(
        id="name",
        kind="text",
        stem=text("What is it called when gradients are summed up?"),
        accept=(
            Accept("name", pattern("gradient accumulation|accumulat* gradients")),
            Accept("half", pattern("*accumulation*"), Decimal("0.5"), text("Accumulation of *what*?")),
            Accept("clip", pattern("*clip*"), Decimal(0), text("Clipping bounds a norm.")),
        ),
        explanation=text("Gradients add up in `.grad`."),
    )


def ordered(*, credit: Credit = "partial") -> Item:
    """Key: forward, scale, backward, step."""
    return Item(
        id="step",
        kind="order",
        credit=credit,
        stem=text("In which order does a step run?"),
        options=(
            option("forward", "Forward pass", "There is no loss before it."),
            option("scale", "Multiply the loss by $2^{16}$", "Small gradients survive the backward pass."),
            option("backward", "Backward pass", "It takes the scaled loss."),
            option("step", "Optimizer step", "It comes last."),
        ),
        explanation=text("Scale, run backward, step."),
    )


def matched(*, rich: bool = False) -> Item:
    """Key: FP16 has 5 bits, the others 8; 11 is a distractor. `rich` targets hold a formula."""
    bits = {"five": "$2^2 + 1$ bits" if rich else "5 bits", "eight": "8 bits", "eleven": "11 bits"}
    return Item(
        id="bits",
        kind="match",
        credit="partial",
        stem=text("How many exponent bits are there?"),
        options=tuple(
            Option(name, text(says), match=target, rationale=text(why))
            for name, says, target, why in (
                ("fp16", "FP16", "five", "FP16 has a small range."),
                ("bf16", "`bfloat16`", "eight", "It keeps the exponent of FP32."),
                ("fp32", "FP32", "eight", "IEEE 754 says so."),
            )
        ),
        targets=tuple(Target(name, text(says)) for name, says in bits.items()),
        explanation=text("5, 8 and 8."),
    )


def quiz(*items: Item, name: str = "sample") -> Quiz:
    """A quiz of these items; of one of each kind when none is given."""
    return Quiz(
        id=name,
        title=text("Number formats", block=False),
        level="medium",
        description=text("What sixteen bits hold."),
        guides=(Guide("guide", text("A guide", block=False), {"formats": text("The formats", block=False)}),),
        items=items or (single(), multiple(), number(), drawn()),
        hash="h",
    )


def eight() -> Quiz:
    """Eight single items without hints."""
    return quiz(*(single(f"item-{number}", stem=f"Stem number {number}?", hints=0) for number in range(1, 9)))
