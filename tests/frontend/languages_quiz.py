"""The same small quiz in English, Turkish and Arabic; in Arabic three parts of it are not translated."""

from __future__ import annotations

from decimal import Decimal

from quiz_widgets import markup
from quiz_widgets.model import Guide, Item, Option, Quiz, Recorded, Rendered, Slip, Text, Tolerance, Variant


def text(en: str, tr: str, ar: str | None, *, block: bool = True) -> Text:
    """A text in three languages; without Arabic it is not translated there."""
    forms = {}
    for locale, source in (("en", en), ("tr", tr), ("ar", ar)):
        if source is not None:
            made = markup.render(source, block=block)
            forms[locale] = Rendered(source, made.html, made.preview, made.plain)
    return Text(forms)


BYTES = Item(
    id="bytes",
    stem=text(
        "How many bytes does `float16` take?", "`float16` kaç bayt yer kaplar?", "كم بايتًا يشغل النوع `float16`؟"
    ),
    section="formats",
    options=(
        Option(
            "two",
            text("Two bytes", "İki bayt", "بايتان"),
            correct=True,
            rationale=text("Sixteen bits.", "On altı bit.", "ستة عشر بتًا."),
        ),
        Option(
            "four",
            text("Four bytes", "Dört bayt", "أربعة بايتات"),
            rationale=text("That is FP32.", "O FP32'dir.", "هذا حجم FP32."),
        ),
        # Neither of the two is translated.
        Option("eight", text("Eight bytes", "Sekiz bayt", None), rationale=text("That is FP64.", "O FP64'tür.", None)),
    ),
    hints=(text("Count bits.", "Bitleri sayın.", "عُدّ البتات."),),
    explanation=text("$16 / 8 = 2$.", "$16 / 8 = 2$.", "أي $16 / 8 = 2$."),
    evidence="bytes",
    evidence_text=text(
        "Measured: {count} bytes, {share} of FP32.",
        "Ölçülen: {count} bayt, FP32'nin {share} katı.",
        "قيس {count} بايت، أي {share} من FP32.",
    ),
    recorded=Recorded({"count": "2", "share": "0.5"}, "2026-11-30", "x86_64 CPU"),
)
OPERATIONS = Item(
    id="operations",
    kind="multiple",
    stem=text("Which of these are sums?", "Bunlardan hangileri toplamdır?", None),  # the third
    options=(
        Option(
            "plus", text("`a + b`", "`a + b`", "`a + b`"), correct=True, rationale=text("It adds.", "Toplar.", "يجمع.")
        ),
        Option(
            "sum", text("`sum()`", "`sum()`", "`sum()`"), correct=True, rationale=text("It adds.", "Toplar.", "يجمع.")
        ),
        Option("times", text("`a * b`", "`a * b`", "`a * b`"), rationale=text("A product.", "Çarpım.", "حاصل ضرب.")),
    ),
    explanation=text("Two of them add.", "İkisi toplar.", "اثنان منها يجمعان."),
)
STATE = Item(
    id="state",
    kind="number",
    stem=text(
        "How many GB do {billions} billion parameters take at 2 bytes each?",
        "Her biri 2 bayt olan {billions} milyar parametre kaç GB tutar?",
        "كم غيغابايت تشغل {billions} مليار معلمة، لكل منها 2 بايت؟",
    ),
    unit=text("GB", "GB", "غيغابايت", block=False),
    tolerance=Tolerance("absolute", Decimal("0.01")),
    slips=(Slip("one", text("That is one byte each.", "O, her biri 1 bayt demektir.", "هذا بايت واحد لكل معلمة.")),),
    draw={"billions": ("0.8",)},
    variants=(Variant(Decimal("1.608"), {"one": Decimal("0.804")}, {"billions": "0.804"}),),
    explanation=text("Two times {billions}.", "{billions} kere iki.", "أي ضعف {billions}."),
)


def quiz(*items: Item) -> Quiz:
    """A quiz of these items, all three by default."""
    return Quiz(
        id="sample",
        title=text("Number formats", "Sayı biçimleri", "صيغ الأعداد", block=False),
        level="medium",
        description=text("What 16 bits hold.", "16 bitin tuttuğu.", "ما تحمله 16 بتًا."),
        guides=(
            Guide(
                "guide",
                text("A guide", "Bir rehber", "دليل", block=False),
                {"formats": text("The formats", "Biçimler", "الصيغ", block=False)},
                {"formats": "number_formats"},
            ),
        ),
        items=items or (BYTES, OPERATIONS, STATE),
        locales=("en", "ar", "tr"),
        hash="h",
    )
