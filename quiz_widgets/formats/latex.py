r"""An exam in LaTeX (class `exam`), for XeLaTeX: one version or several, with sheets for answers, with or without key.

Without the key nothing in the file tells what is right. polyglossia sets the language; for Arabic it loads bidi. Fonts
are those of the machine: Noto or DejaVu where they are, else Latin Modern; Amiri, which TeX Live brings, for Arabic.
"""

from __future__ import annotations

from collections.abc import Iterator

from quiz_widgets.formats import paper
from quiz_widgets.formats.paper import Paper, Question, Version
from quiz_widgets.formats.tex_text import Tex

_LANGUAGES = {"en": "english", "tr": "turkish", "ar": "arabic"}
_PACKAGES = r"""
\usepackage{amsmath,amssymb}
\usepackage{fontspec}
\usepackage{textcomp}
\usepackage{longtable}
\usepackage{polyglossia}
""".strip()
_FONTS = r"""
\IfFontExistsTF{Noto Serif}{\setmainfont{Noto Serif}}{\IfFontExistsTF{DejaVu Serif}{\setmainfont{DejaVu Serif}}{}}
\IfFontExistsTF{DejaVu Sans Mono}{\setmonofont[Scale=0.85]{DejaVu Sans Mono}}{}
""".strip()
# Noto Naskh Arabic has no brackets, so it comes last.
_ARABIC = r"""
\newcommand{\arabicname}{Noto Naskh Arabic}
\IfFontExistsTF{DejaVu Sans}{\renewcommand{\arabicname}{DejaVu Sans}}{}
\IfFontExistsTF{Amiri}{\renewcommand{\arabicname}{Amiri}}{}
\newfontfamily\arabicfont[Script=Arabic]{\arabicname}
\newfontfamily\arabicfonttt[Script=Arabic]{\arabicname}
""".strip()
_COMMANDS = r"""
\DeclareMathOperator*{\argmax}{arg\,max}
\DeclareMathOperator*{\argmin}{arg\,min}
\providecommand{\textquotesingle}{'}
\setlength{\emergencystretch}{3em}
\renewcommand{\choicelabel}{\thechoice)}
\newcommand{\blank}{\underline{\hspace{2.5em}}}
\newcommand{\fillline}{\makebox[0.5\linewidth]{\hrulefill}}
\pagestyle{headandfoot}
\cfoot{\thepage}
""".strip()


class _Exam:
    def __init__(self, made: Paper) -> None:
        self.paper = made
        self.rtl = made.locale == "ar"
        self.tex = Tex(rtl=self.rtl)

    def lines(self) -> Iterator[str]:
        language = _LANGUAGES.get(self.paper.locale, "english")
        yield "% Set with XeLaTeX: xelatex FILE, twice."
        yield f"\\documentclass[11pt,a4paper]{{exam}}\n{_PACKAGES}"
        # Numbers are written as in the course; the digits of the East would also break the counters of `exam`.
        options = "[numerals=maghrib]" if self.rtl else ""
        yield f"\\setmainlanguage{options}{{{language}}}"
        if language != "english":
            yield "\\setotherlanguage{english}"
        yield _FONTS
        if self.rtl:
            yield _ARABIC
        yield f"{_COMMANDS}\n{self.letters()}\n\\begin{{document}}"
        for number, version in enumerate(self.paper.versions):
            yield from self.version(version, first=number == 0)
        yield "\\end{document}"

    def letters(self) -> str:
        """The letters of options, as every language has them; numbers when they are used up."""
        letters = self.paper.word("static_letters").split()
        cases = "".join(f"\\or {letter}" for letter in letters)
        return f"\\renewcommand{{\\thechoice}}{{\\ifcase\\value{{choice}}{cases}\\else\\arabic{{choice}}\\fi}}"

    def version(self, version: Version, *, first: bool) -> Iterator[str]:
        heading = self.tex.plain(self.paper.heading(version))
        yield "" if first else "\\clearpage\\setcounter{page}{1}"
        # A page may end within a text in English, whose font its head would take.
        yield f"\\lhead{{\\textarabic{{{heading}}}}}" if self.rtl else f"\\lhead{{{heading}}}"
        yield f"\\begin{{center}}\\Large\\textbf{{{heading}}}\\end{{center}}"
        if self.paper.quiz.description and not version.name:
            yield self.tex.text(self.paper.quiz.description)
        yield f"{self.fields()}\n\\begin{{questions}}"
        for question in version.questions:
            yield from self.question(question)
        yield "\\end{questions}"
        if version.name:
            yield from self.sheet(version)
        if self.paper.key:
            yield from self.key(version)

    def fields(self) -> str:
        names = (self.paper.word("static_print_name"), self.paper.word("static_print_date"))
        lines = (f"\\makebox[0.47\\linewidth]{{{self.tex.plain(name)}:\\enspace\\hrulefill}}" for name in names)
        return "\\par\\medskip\\noindent" + "\\hfill".join(lines) + "\\par\\bigskip"

    def question(self, question: Question) -> Iterator[str]:
        item = question.item
        yield f"\n\\question {{}}{self.tex.text(item.stem)}"
        if points := self.paper.points(item):
            yield f"\n\\emph{{{self.tex.plain(points)}}}"
        if asked := self.paper.asked(item):
            yield f"\n\\emph{{{self.tex.plain(asked)}}}"
        if question.targets:
            yield from self.choices(target.text for _, target in question.targets)
        if item.kind in {"number", "text"}:
            yield f"\n\\medskip\\fillline{{}} {self.tex.line(item.unit)}".rstrip()
        elif item.kind == "match":
            yield "\\begin{itemize}"
            for _, option in question.options:
                yield f"\\item[\\blank] {{}}{self.tex.text(option.text)}"
            yield "\\end{itemize}"
        else:
            yield from self.choices(option.text for _, option in question.options)
        if item.kind == "order":
            yield "\n" + "\\quad".join("\\blank{}" for _ in item.options)

    def choices(self, texts: Iterator[str]) -> Iterator[str]:
        yield "\\begin{choices}"
        for text in texts:
            yield f"\\choice {{}}{self.tex.text(text)}"
        yield "\\end{choices}"

    def sheet(self, version: Version) -> Iterator[str]:
        """Where the answers of a version are entered."""
        title = self.tex.plain(f"{self.paper.word('static_print_sheet')} · {self.paper.heading(version)}")
        yield f"\\clearpage\n\\noindent\\textbf{{\\large {title}}}\n{self.fields()}"
        yield "\\begin{longtable}{r@{\\quad}l}"
        for question in version.questions:
            boxes = "\\quad".join(f"$\\bigcirc$\\,{letter}" for letter, _ in question.options)
            shown = boxes if question.item.kind in {"single", "multiple"} else "\\fillline"
            yield f"{question.number}. & {shown} \\\\[0.6em]"
        yield "\\end{longtable}"

    def key(self, version: Version) -> Iterator[str]:
        """What is right, and why."""
        title = self.paper.word("static_print_key")
        title = f"{title} · {self.paper.heading(version)}" if version.name else title
        yield f"\\clearpage\n\\noindent\\textbf{{\\large {self.tex.plain(title)}}}\n\\begin{{itemize}}"
        for question in version.questions:
            yield f"\\item[{question.number}.] \\textbf{{{self.tex.line(self.paper.answer(question))}}}"
            for mark, source in self.paper.reasons(question):
                shown = f"\\textbf{{{self.tex.plain(mark)}}} " if mark else ""
                yield f"\n{shown}{{}}{self.tex.text(source)}"
            if source := question.item.source:
                yield f"\n\\emph{{{self.tex.plain(self.paper.word('source'))}:}} {self.tex.text(source)}"
        yield "\\end{itemize}"


printed = paper.printer(lambda made: _Exam(made).lines())

FORMAT = paper.on_paper(id="latex", title="LaTeX", suffix=".tex", printed=printed)
