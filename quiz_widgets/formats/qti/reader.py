"""Files of QTI 2 and 3: one item, or a package with items and the tests that put them in order."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import archives, html_text, xml_tree
from quiz_widgets.formats.base import MAX_ITEMS, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.markdown import escape
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.qti import html, item_reader, names
from quiz_widgets.formats.xml_tree import Element

MANIFEST = "imsmanifest.xml"
_ROOTS = frozenset({"assessmentItem", "assessmentTest", "assessmentSection", "assessmentStimulus"})


def read(source: Source) -> Imported:
    """The quizzes of a file: one for each test, and one of the items that stand in none."""
    notices = Notices(source.name)
    if archives.is_archive(source.data):
        archive = archives.read(source.data, notices)
        reader = _Reader(source, notices, archive.members)
    else:
        reader = _Reader(source, notices, {})
    quizzes = tuple(reader.quizzes())
    if not quizzes and not any(problem.severity == "error" for problem in notices.problems):
        message = "no item of QTI 2 or 3 that can be read"
        notices.add(1, "", "empty", message, "is it an item, or a package with items?", severity="error")
    return Imported(quizzes, notices.done())


def _root(source: Source, notices: Notices) -> Element | None:
    root = xml_tree.parse(source, notices)
    if root is not None:
        names.to_old(root)
    return root


@dataclass(slots=True)
class _Reader:
    source: Source
    notices: Notices
    members: Mapping[str, bytes]
    count: int = 0
    kept: dict[str, bytes] = field(default_factory=dict)
    languages: list[str] = field(default_factory=list)

    def quizzes(self) -> Iterator[DraftQuiz]:
        if not self.members:
            root = _root(self.source, self.notices)
            if root is None:
                return
            if root.name != "assessmentItem":
                message = f"`<{root.name[:40]}>` is no item: what it names stands in other files"
                self.notices.add(root.line, "", "qti-root", message, "import the package, a .zip", severity="error")
                return
            if (item := self.item(root, self.notices, "")) is not None:
                yield self.quiz((item,), "")
            return
        yield from self.package()

    def package(self) -> Iterator[DraftQuiz]:
        """A package's quizzes. Documents are read one after the other, so that only one is in memory."""
        items, tests = self.kinds()
        used: set[str] = set()
        for name in tests:
            yield from self.test(name, items, used)
        rest = [name for name in items if name not in used]
        if not rest:
            return
        if tests:
            message = f"{len(rest)} items stand in no test: they became a quiz of their own"
            self.notices.add(0, "", "qti-loose", message, severity="note")
        drafts = tuple(item for name in rest if (item := self.member(name, len(items))) is not None)
        if drafts:
            yield self.quiz(drafts, "")

    def kinds(self) -> tuple[list[str], list[str]]:
        """The names of items and tests, by what each begins with."""
        items: list[str] = []
        tests: list[str] = []
        for name, data in self.members.items():
            if not name.lower().endswith(".xml") or name.rpartition("/")[2].lower() == MANIFEST:
                continue
            found = root_name(Source(name, data).start(2000))
            if found == "assessmentItem":
                items.append(name)
            elif found == "assessmentTest":
                tests.append(name)
        return items, tests

    def local(self, name: str) -> Notices:
        return Notices(f"{self.source.name}/{name}", self.notices.problems)

    def test(self, name: str, items: list[str], used: set[str]) -> Iterator[DraftQuiz]:
        """The quiz of one test."""
        notices = self.local(name)
        root = _root(Source(name, self.members[name]), notices)
        if root is None:
            return
        drafts: list[DraftItem] = []
        sections = [part for part in root.all("assessmentSection") if part.child("assessmentItemRef") is not None]
        if any(True for _ in root.all("timeLimits")):
            notices.add(root.line, "", "qti-time", "limits of time are not carried", severity="note")
        if any(True for _ in root.all("selection")):
            notices.add(
                root.line, "", "qti-selection", "it draws some of its items for each learner; here all are asked"
            )
        for section in sections:
            label = section.attributes.get("title", "") if len(sections) > 1 else ""
            for ref in section.children("assessmentItemRef"):
                target = html.resolve(name.rpartition("/")[0], ref.attributes.get("href", ""))
                if target not in items:
                    message = f"the test names `{target[:80]}`, and the package holds no such item"
                    notices.add(
                        ref.line, ref.attributes.get("identifier", ""), "qti-missing", message, severity="error"
                    )
                    continue
                if target in used:
                    continue
                used.add(target)
                item = self.member(target, len(items))
                if item is not None:
                    drafts.append(
                        dataclasses.replace(item, category=label, tries=_tries(ref, section, root), **_places(ref))
                    )
        if drafts:
            about = self.about(sections[0], notices) if len(sections) == 1 else ""
            title = root.attributes.get("title", "")
            yield dataclasses.replace(self.quiz(tuple(drafts), title), description=about)

    def about(self, section: Element, notices: Notices) -> str:
        """What the one section of a test tells learners before its items."""

        def report(rule: str, message: str, hint: str) -> None:
            notices.add(section.line, "", rule, message, hint)

        blocks = [part for part in section.children("rubricBlock") if "candidate" in part.attributes.get("view", "")]
        made = "".join(f"<div>{html.of(part)}</div>" for part in blocks)
        return html_text.to_markdown(made, report, Pictures(self.members, self.kept))

    def member(self, name: str, total: int) -> DraftItem | None:
        """The item of one document."""
        self.count += 1
        self.source.tell(self.count, total)
        if self.count > MAX_ITEMS:
            if self.count == MAX_ITEMS + 1:
                message = f"more than {MAX_ITEMS} items: the rest is not read"
                self.notices.add(0, name, "many", message, "split the package", severity="error")
            return None
        notices = self.local(name)
        root = _root(Source(name, self.members[name]), notices)
        return self.item(root, notices, name.rpartition("/")[0]) if root is not None else None

    def item(self, root: Element, notices: Notices, folder: str) -> DraftItem | None:
        html.with_addresses(root, folder, self.members)
        stimuli: dict[str, str] = {}
        for ref in root.children("assessmentStimulusRef"):
            text = self.stimulus(html.resolve(folder, ref.attributes.get("href", "")))
            if text is None:
                notices.add(ref.line, root.attributes.get("title", ""), "qti-missing", "its shared text is missing")
            else:
                stimuli[ref.attributes.get("identifier", "")] = text
        body = root.child("itemBody")
        for part in (root, body):
            if part is not None and (tag := part.attributes.get("lang") or part.attributes.get("xml:lang")):
                self.languages.append(tag)
                break
        return item_reader.read(root, notices, Pictures(self.members, self.kept), stimuli)

    def stimulus(self, name: str) -> str | None:
        """The HTML of a text that several items share."""
        data = self.members.get(name)
        root = _root(Source(name, data), self.local(name)) if data is not None else None
        body = root.child("stimulusBody") if root is not None else None
        if body is None:
            return None
        html.with_addresses(body, name.rpartition("/")[0], self.members)
        return f"<div>{html.of(body)}</div>"

    def quiz(self, items: tuple[DraftItem, ...], title: str) -> DraftQuiz:
        """The quiz of these items; all their languages alike are its language."""
        languages = set(self.languages)
        self.languages.clear()
        language = languages.pop() if len(languages) == 1 else ""
        return DraftQuiz(items=items, title=escape(" ".join(title.split())), language=language, files=self.kept)


def root_name(start: str) -> str:
    """The name, as QTI 2 has it, of the first element of a document that begins so; empty where it is none of QTI."""
    for word in start.split("<")[1:]:
        if word[:1] in "!?":
            continue
        name = word.replace(">", " ").replace("/", " ").split()[:1]
        bare = name[0].rpartition(":")[2] if name else ""
        old = names.camel(bare.removeprefix("qti-")) if bare.startswith("qti-") else bare
        return old if old in _ROOTS else ""
    return ""


def _places(ref: Element) -> dict[str, Any]:
    """Set and tags of an item, which its categories tell. A section stays a tag: its guide is not here."""
    categories = ref.attributes.get("category", "").split()
    sets = [word for word in categories if word.startswith("set.") and ID.fullmatch(word.removeprefix("set."))]
    tags = tuple(word.replace("section.", "section:", 1) for word in categories if word not in sets[:1])
    return {"set": sets[0].removeprefix("set.") if sets else "", "tags": tags}


def _tries(*elements: Element) -> int | None:
    """How often an item may be tried; 0 there means without end."""
    for element in elements:
        control = element.child("itemSessionControl")
        written = control.attributes.get("maxAttempts", "") if control is not None else ""
        if written.isdecimal() and len(written) < 4:
            return int(written) or None
    return None
