"""A page to print: one file that needs nothing else, without a script, with or without the key.

Formulas are MathML, which browsers print. Without the key nothing in the file tells what is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from quiz_widgets import locales
from quiz_widgets.formats import markdown, paper
from quiz_widgets.formats.paper import Paper, Question, Version

_STYLE = """
:root { color-scheme: light; }
body { font: 12pt/1.45 Georgia, "Noto Serif", "Noto Naskh Arabic", serif; color: #000; background: #fff;
  max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4em; margin: 0 0 .3em; } h2 { font-size: 1.15em; margin: 1.5em 0 .5em; }
.fields { display: flex; flex-wrap: wrap; gap: .5em 2em; margin: .8em 0 1.5em; }
.fields span { flex: 1 1 12em; border-bottom: 1px solid; }
ol.questions { list-style: none; padding: 0; margin: 0; }
li.question { display: grid; grid-template-columns: 2.2em 1fr; margin: 0 0 1.4em; break-inside: avoid; }
.question > .number { font-weight: bold; }
.asked, .points { font-size: .9em; font-style: italic; margin: .3em 0; }
ol.options { list-style: none; padding: 0; margin: .4em 0 0; }
ol.options > li { display: grid; grid-template-columns: minmax(1.8em, max-content) 1fr; margin: .25em 0; }
.line { display: inline-block; min-width: 14em; border-bottom: 1px solid; height: 1.6em; }
.blank { display: inline-block; width: 2.5em; border-bottom: 1px solid; }
pre { font: .85em/1.4 "DejaVu Sans Mono", monospace; border: 1px solid #999; padding: .4em .6em; margin: .4em 0;
  white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; }
code { font: .9em "DejaVu Sans Mono", monospace; }
math[display="block"] { display: block math; margin: .4em 0; }
.right { font-weight: bold; }
.reasons { border-inline-start: 3px solid #555; padding-inline-start: .8em; margin: .6em 0; }
table { border-collapse: collapse; } td { border: 1px solid #777; padding: .25em .7em; }
section + section { break-before: page; }
@page { margin: 18mm 16mm; }
@media print { body { margin: 0; max-width: none; padding: 0; } a { color: inherit; text-decoration: none; } }
"""
_BLANK = '<span class="blank"></span> '


class _Page:
    def __init__(self, made: Paper) -> None:
        self.paper = made

    def text(self, source: str, tag: str = "div") -> str:
        """A text in a box with its direction."""
        direction = locales.text_direction(markdown.to_plain(source), self.paper.locale)
        return f'<{tag} dir="{direction}">{markdown.forms(source).html}</{tag}>'

    def lines(self) -> Iterator[str]:
        locale = self.paper.locale
        title = escape(markdown.to_plain(self.paper.quiz.title))
        yield f'<!DOCTYPE html>\n<html lang="{locale}" dir="{locales.direction(locale)}">'
        yield '<head>\n<meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
        for version in self.paper.versions:
            yield from self.version(version)
        yield "</body>\n</html>"

    def version(self, version: Version) -> Iterator[str]:
        yield f'<section class="version">\n<h1>{escape(self.paper.heading(version))}</h1>'
        if self.paper.quiz.description and not version.name:
            yield self.text(self.paper.quiz.description)
        yield self.fields()
        yield '<ol class="questions">'
        for question in version.questions:
            yield from self.question(question)
        yield "</ol>\n</section>"
        if version.name:
            yield from self.sheet(version)
        if self.paper.key:
            yield from self.key(version)

    def fields(self) -> str:
        names = (self.paper.word("static_print_name"), self.paper.word("static_print_date"))
        return f'<div class="fields">{"".join(f"<span>{escape(name)}:</span>" for name in names)}</div>'

    def question(self, question: Question) -> Iterator[str]:
        item = question.item
        yield f'<li class="question"><span class="number">{question.number}.</span><div>{self.text(item.stem)}'
        if points := self.paper.points(item):
            yield f'<p class="points">{escape(points)}</p>'
        if asked := self.paper.asked(item):
            yield f'<p class="asked">{escape(asked)}</p>'
        if question.targets:
            yield from self.listed((f"{letter})", self.text(target.text)) for letter, target in question.targets)
        if item.kind in {"number", "text"}:
            yield f'<p><span class="line"></span> {self.text(item.unit, "span") if item.unit else ""}</p>'
        elif item.kind == "match":
            yield from self.listed((_BLANK, self.text(option.text)) for _, option in question.options)
        else:
            yield from self.listed((f"{letter})", self.text(option.text)) for letter, option in question.options)
        if item.kind == "order":
            yield f"<p>{_BLANK * len(item.options)}</p>"
        yield "</div></li>"

    def listed(self, entries: Iterator[tuple[str, str]]) -> Iterator[str]:
        yield '<ol class="options">'
        for mark, inner in entries:
            yield f"<li><span>{mark}</span><div>{inner}</div></li>"
        yield "</ol>"

    def sheet(self, version: Version) -> Iterator[str]:
        """Where the answers of a version are entered."""
        title = f"{self.paper.word('static_print_sheet')} · {self.paper.heading(version)}"
        yield f'<section class="sheet">\n<h2>{escape(title)}</h2>\n{self.fields()}<table>'
        for question in version.questions:
            boxes = " ".join(f"☐&nbsp;{escape(letter)}" for letter, _ in question.options)
            shown = boxes if question.item.kind in {"single", "multiple"} else '<span class="line"></span>'
            yield f"<tr><td>{question.number}</td><td>{shown}</td></tr>"
        yield "</table>\n</section>"

    def key(self, version: Version) -> Iterator[str]:
        """What is right, and why."""
        title = self.paper.word("static_print_key")
        title = f"{title} · {self.paper.heading(version)}" if version.name else title
        yield f'<section class="key">\n<h2>{escape(title)}</h2>\n<ol class="questions">'
        for question in version.questions:
            yield f'<li class="question"><span class="number">{question.number}.</span><div>'
            yield self.text(self.paper.answer(question), "div").replace("<div", '<div class="right"', 1)
            if reasons := self.paper.reasons(question):
                yield '<div class="reasons">'
                for mark, source in reasons:
                    yield f"{f'<b>{escape(mark)}</b> ' if mark else ''}{self.text(source)}"
                yield "</div>"
            if source := question.item.source:
                word = escape(self.paper.word("source"))
                yield f'<p class="points">{word}: {self.text(source, "span")}</p>'
            yield "</div></li>"
        yield "</ol>\n</section>"


printed = paper.printer(lambda made: _Page(made).lines())

FORMAT = paper.on_paper(id="html", title="HTML to print", suffix=".html", printed=printed)
