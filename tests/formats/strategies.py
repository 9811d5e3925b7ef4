"""Drafts to send round: texts with the signs that formats fight over, and every kind of question."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from quiz_widgets.formats import markdown, mend
from quiz_widgets.formats.draft import (
    DraftAnswer,
    DraftCredit,
    DraftItem,
    DraftKind,
    DraftOption,
    DraftQuiz,
    DraftSlip,
    DraftTarget,
    DraftTolerance,
)

SIGNS = [
    *"~=#{}:\\$%<>&'\"*_`[]()!|-+./@;,?^",
    "->",
    "::",
    "####",
    "//",
    "\\n",
    "<b>",
    "&amp;",
    "]]>",
    "$$",
    "\\(",
    "x",
    "7",
]
WORDS = [
    "one",
    "İstanbul",
    "ılık",
    "ماذا",
    "قيمة",
    "x = 1",
    "C#",
    "a_b",
    "1.",
    "A)",
    "ANSWER: B",
    "[html]",
    "naïve",
    "😀",
    "TRUE",
]
FORMULAS = [
    "$x^2$",
    "$\\frac{1}{2}$",
    "$a = b$",
    "$\\{1, 2\\}$",
    "$x_{i} \\neq \\text{no}$",
    "so $$\\sum_{i=1}^{n} i$$ it is",
]
CODES = ["`x = {1: 2}`", "`a#b ~c`", "``a`b``", "`<p>&amp;</p>`", "`\\n $x$ \\(y\\)`"]


CREDITS: st.SearchStrategy[DraftCredit] = st.sampled_from(["exact", "partial"])


def plain() -> st.SearchStrategy[str]:
    """One line of plain text, as Markdown."""
    parts = st.lists(st.sampled_from([*SIGNS, *WORDS]), min_size=1, max_size=6).map(" ".join)
    joined = st.lists(st.sampled_from([*SIGNS, *WORDS]), min_size=1, max_size=6).map("".join)
    return (parts | joined).map(lambda text: markdown.escape(text.strip())).filter(lambda text: bool(text.strip()))


def line() -> st.SearchStrategy[str]:
    """One line with code, formulas and stress."""
    stressed = st.sampled_from(["**one** two", "a *b* c", "[web](https://example.org/a?b=c&d)", "**`x`**"])
    parts = plain() | st.sampled_from(FORMULAS) | st.sampled_from(CODES) | stressed
    return st.lists(parts, min_size=1, max_size=3).map(" ".join)


def text() -> st.SearchStrategy[str]:
    """A text of several blocks, which our reader accepts."""
    block = line() | st.sampled_from(
        ["```python\nif x:\n    y = {1}\n\nz = 'a#b'\n```", "- one\n- two `x`", "1. one\n2. two", "a\\\nb", "$$x = 1$$"]
    )
    made = st.lists(block, min_size=1, max_size=3).map("\n\n".join)
    return made.map(lambda source: mend.text(source, lambda *_: None))


def words(maximum: int = 4, minimum: int = 2) -> st.SearchStrategy[list[str]]:
    """Different texts of a line."""
    return st.lists(line(), min_size=minimum, max_size=maximum, unique_by=markdown.to_plain)


@st.composite
def choices(draw: st.DrawFn, kind: DraftKind) -> DraftItem:
    """A `single` or `multiple` item."""
    texts = draw(words(6))
    right = {draw(st.integers(0, len(texts) - 1))}
    if kind == "multiple":
        right |= draw(st.sets(st.integers(0, len(texts) - 1), max_size=len(texts) - 1))
    if kind == "multiple" and len(right) == len(texts):
        right.pop()
    rationales = draw(st.lists(st.just("") | text(), min_size=len(texts), max_size=len(texts)))
    options = tuple(
        DraftOption(text=made, correct=index in right, rationale=why)
        for index, (made, why) in enumerate(zip(texts, rationales, strict=True))
    )
    credit: DraftCredit = draw(CREDITS) if kind == "multiple" else "exact"
    return DraftItem(
        kind=kind, stem=draw(text()), options=options, credit=credit, explanation=draw(st.just("") | text())
    )


@st.composite
def numbers(draw: st.DrawFn) -> DraftItem:
    """A `number` item."""
    values = draw(st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=4, unique=True))
    amount = draw(st.sampled_from([None, Decimal("0.01"), Decimal("0.5")]))
    slips = tuple(DraftSlip(value=value, rationale=draw(text())) for value in values[1:])
    tolerance = DraftTolerance("absolute", amount) if amount else None
    return DraftItem(kind="number", stem=draw(text()), value=values[0], tolerance=tolerance, slips=slips)


@st.composite
def texts(draw: st.DrawFn) -> DraftItem:
    """A `text` item."""
    known = draw(
        st.lists(
            st.sampled_from(["one", "İki", "a*", "x\\*y", "a \\| b", "back\\\\slash", "ثلاثة", "{=~#}"]),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    shares = [Decimal(1), *(draw(st.sampled_from([Decimal(0), Decimal("0.5"), Decimal(1)])) for _ in known[1:])]
    accept = tuple(
        DraftAnswer(text=pattern, credit=credit, rationale=draw(st.just("") | text()))
        for pattern, credit in zip(known, shares, strict=True)
    )
    return DraftItem(kind="text", stem=draw(text()), accept=accept)


@st.composite
def matches(draw: st.DrawFn) -> DraftItem:
    """A `match` item."""
    plains = st.lists(plain(), min_size=2, max_size=4, unique_by=lambda made: " ".join(markdown.to_plain(made).split()))
    targets = tuple(DraftTarget(id=f"t{index + 1}", text=made) for index, made in enumerate(draw(plains)))
    named = [draw(st.sampled_from(targets)).id for _ in range(3)]
    options = tuple(DraftOption(text=made, target=target) for made, target in zip(draw(words(3)), named, strict=False))
    return DraftItem(kind="match", stem=draw(text()), options=options, targets=targets, credit="partial")


@st.composite
def orders(draw: st.DrawFn) -> DraftItem:
    """An `order` item."""
    options = tuple(DraftOption(text=made) for made in draw(words(5)))
    return DraftItem(kind="order", stem=draw(text()), options=options, credit=draw(CREDITS))


KINDS = {
    "single": choices("single"),
    "multiple": choices("multiple"),
    "number": numbers(),
    "text": texts(),
    "match": matches(),
    "order": orders(),
}


def quizzes(kinds: tuple[str, ...]) -> st.SearchStrategy[DraftQuiz]:
    """A quiz of these kinds."""
    item = st.one_of(*(KINDS[kind] for kind in kinds))
    return st.lists(item, min_size=1, max_size=3).map(lambda items: DraftQuiz(items=tuple(items), title="Round trip"))
