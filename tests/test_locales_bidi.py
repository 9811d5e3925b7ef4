"""Left-to-right runs in Arabic text are isolated, and nothing else is touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.locales import bidi

# Each run stands in brackets; what has none needs no isolation.
TEXTS = [
    "يحتاج إلى [14 GB] من الذاكرة",
    "من [3–5] أو [3-5 GB]",
    "لغة [C++] فقط",
    "الدالة [softmax()] ثم [f(x)]",
    "بنسبة [50%] من القيم",
    "القيمة [-5] درجات",
    "القيمة [-0.5 GB]",
    "أي [16 × 2 = 32] بايت",
    "يتطلب [2.5 × 10⁻⁸] ثانية",
    "كتابة [1e-7] أيضًا",
    "العدد 14 وحده، و1.5 أيضًا",
    "يعمل PyTorch على FP16. وكذلك Tensor Cores.",
    "في bfloat16، ZeRO-Offload يعمل",
    "في FP16. PyTorch يعمل",
    "نموذج من [{billions} GB] و{count}",
    "بين [8/16]",
    "سرعة [~12 GB/s] تقريبًا",
]


@pytest.mark.parametrize("marked", TEXTS)
def test_runs_in_plain_text_and_html(marked: str) -> None:
    plain = marked.replace("[", "").replace("]", "")

    assert bidi.isolated_text(plain) == marked.replace("[", bidi.LRI).replace("]", bidi.PDI)
    html = plain.replace("<", "&lt;")
    assert bidi.isolated_html(f"<p>{html}</p>") == f"<p>{marked}</p>".replace("[", '<bdi dir="ltr">').replace(
        "]", "</bdi>"
    )


def test_code_formulas_tags_and_entities_stay() -> None:
    kept = [
        "<code>a = 14 + 2</code>",
        "<pre><span>1 + 1</span></pre>",
        '<math display="block"><mn>1</mn><mo>+</mo></math>',
        '<bdi dir="ltr">1 + 1</bdi>',
        '<a href="https://example.org/1-2">x</a>',
        "&#8211;&amp;",
    ]

    assert bidi.isolated_html("".join(kept)) == "".join(kept)
    assert bidi.isolated_html(r"نص \(2^{-12}\) نص") == r'نص <bdi dir="ltr">\(2^{-12}\)</bdi> نص'


def test_markdown_stands_in_a_box_whose_code_and_runs_are_isolated() -> None:
    text = (
        '## نص [14 GB]\n\n- نص **[50%]** و{`softmax()`}، ثم $2 + 2$ و[نص](#a-1-2) و<a id="b-1"></a>\n'
        "| [3–5] | {``a`b``} |\n|---|---|\n"
    ).replace("[نص](#a-1-2)", "LINK")
    fence = "```python\nx = 14 + 2\n```"
    plain = re.sub(r"[\[\]{}]", "", text)

    found = bidi.isolated_markdown(f"{plain}\n{fence}".replace("LINK", "[نص](#a-1-2)"), "ar")

    marked = text.replace("[", bidi.LRI).replace("]", bidi.PDI).replace("{", '<span dir="ltr">').replace("}", "</span>")
    marked = marked.replace("LINK", "[نص](#a-1-2)")
    assert found == f'<div dir="rtl" lang="ar">\n\n{marked}\n<div dir="ltr">\n\n{fence}\n\n</div>\n\n</div>'


def test_paragraphs_of_markdown_begin_at_the_right() -> None:
    fence = "```python\nx = 1\n\ny\n\nz\n```"
    blocks = ["## عنوان", "نص **قوي**", "- بند", "1. بند", "`x` نص", "| a |\n|---|", '<a id="b"></a>', fence]

    found = bidi.isolated_markdown("\n\n".join(blocks), "ar")

    left = '<span dir="ltr">`x`</span>'
    right = '<span style="display:block;text-align:right">'
    expected = [*blocks[:1], f"{right}{blocks[1]}</span>", *blocks[2:4], f"{right}{left} نص</span>", *blocks[5:7]]
    expected += ['<div dir="ltr">', fence, "</div>"]
    assert found == "\n\n".join(['<div dir="rtl" lang="ar">', *expected, "</div>"])


def test_lines_keep_their_direction() -> None:
    assert bidi.embedded("a\n\nb", "ltr") == "\u2066a\u2069\n\n\u2066b\u2069"
    assert bidi.embedded("نص", "rtl") == "\u2067نص\u2069"


@given(st.text(alphabet="نص aB1.,-+×%(){}<>&\\\n"))
def test_nothing_but_isolates_is_added(text: str) -> None:
    assert re.sub(f"[{bidi.LRI}{bidi.PDI}]", "", bidi.isolated_text(text)) == text
    html = bidi.isolated_html(text)
    assert html.replace('<bdi dir="ltr">', "").replace("</bdi>", "") == text
