"""A quiz as a package of QTI 1.2 that Canvas imports: a manifest, the quiz, and what Canvas keeps beside it."""

from __future__ import annotations

from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

from quiz_widgets import locales
from quiz_widgets.formats import answers, losses, markdown, moodle_grades, named, pins
from quiz_widgets.formats.archives import pack
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftKind, DraftQuiz, Exported
from quiz_widgets.formats.qti_12.item import GENERAL, RIGHT
from quiz_widgets.formats.qti_12.manifest import HEAD, manifest
from quiz_widgets.locales.numbers import canonical

_NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
_OUTCOMES = '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'
_HOLDS: frozenset[losses.Part] = frozenset(
    (
        *("rationale", "explanation", "hints", "points", "credit", "shares", "tolerance", "slips", "pins"),
        *("match_case", "language", "title", "description", "source", "set", "section", "ids", "markup"),
    )
)
_TYPES: dict[DraftKind, str] = {
    "single": "multiple_choice_question",
    "multiple": "multiple_answers_question",
    "number": "numerical_question",
    "text": "short_answer_question",
    "order": "ordering_question",
    "match": "matching_question",
}


def write(quiz: DraftQuiz) -> Exported:
    """The package; Canvas passes over some of what the format holds, which is said."""
    kept, notices = losses.check(quiz, kinds=set(_TYPES), holds=_HOLDS)
    writer = _Writer(quiz.language, notices)
    name = quiz.id or "quiz"
    title = " ".join(markdown.to_plain(quiz.title).split()) or "Quiz"
    body = "".join(writer.item(item) for item in named.quiz(kept).items)
    document = (
        f'{HEAD}<questestinterop xmlns="{_NAMESPACE}"><assessment ident={quoteattr(name)} title={quoteattr(title)}>'
        f'<section ident="root_section">\n{body}</section></assessment></questestinterop>\n'
    )
    meta = (
        f'{HEAD}<quiz xmlns="{_CANVAS}" identifier={quoteattr(name)}><title>{escape(title)}</title>'
        f"<description>{escape(writer.html(quiz.description))}</description>"
        "<shuffle_answers>true</shuffle_answers><quiz_type>assignment</quiz_type></quiz>\n"
    )
    files = {f"{name}/{name}.xml": document, f"{name}/assessment_meta.xml": meta}
    return Exported(pack({"imsmanifest.xml": manifest(name), **files}), notices.done())


def _equal(value: str, response: str = "response1", extra: str = "") -> str:
    return f'<varequal respident="{response}"{extra}>{escape(value)}</varequal>'


def _condition(test: str, points: str = "", feedback: str = "", action: str = "Set") -> str:
    """What earns points, which ends the processing, or only shows feedback."""
    score = f'<setvar action="{action}" varname="SCORE">{points}</setvar>' if points else ""
    shown = f'<displayfeedback feedbacktype="Response" linkrefid={quoteattr(feedback)}/>' if feedback else ""
    goes_on = "No" if points and action == "Set" else "Yes"
    return f'<respcondition continue="{goes_on}"><conditionvar>{test}</conditionvar>{score}{shown}</respcondition>'


def _told(name: str) -> str:
    """The name of an answer's feedback; those that Canvas keeps for itself are left to it."""
    made = f"{name}_fb"
    return f"{name}_answer_fb" if made in {GENERAL, RIGHT} else made


class _Writer:
    def __init__(self, language: str, notices: Notices) -> None:
        self.language = language
        self.notices = notices

    def html(self, source: str) -> str:
        """A text's HTML in a box of its language and direction; English is Canvas' own."""
        made = markdown.to_html(source) if source else ""
        if not made or not self.language or self.language == locales.SOURCE_LOCALE:
            return made
        direction = locales.text_direction(markdown.to_plain(source), self.language)
        return f'<div lang={quoteattr(self.language)} dir="{direction}">{made}</div>'

    def material(self, source: str) -> str:
        """A text; HTML stands in it with its signs as entities."""
        return f'<material><mattext texttype="text/html">{escape(self.html(source))}</mattext></material>'

    def feedback(self, name: str, source: str) -> str:
        """Feedback under a name."""
        return f"<itemfeedback ident={quoteattr(name)}><flow_mat>{self.material(source)}</flow_mat></itemfeedback>"

    def label(self, name: str, source: str, extra: str = "") -> str:
        """An option."""
        return f"<response_label ident={quoteattr(name)}{extra}>{self.material(source)}</response_label>"

    def item(self, item: DraftItem) -> str:
        """One item."""
        fields = {"question_type": _TYPES[item.kind], "points_possible": canonical(item.points)}
        fields |= {name: text for name, text in (("set", item.set), ("section", item.section)) if text}
        if item.source:
            fields["source"] = " ".join(markdown.to_plain(item.source).split())
        metadata = "".join(
            f"<qtimetadatafield><fieldlabel>{name}</fieldlabel><fieldentry>{escape(text)}</fieldentry></qtimetadatafield>"
            for name, text in fields.items()
        )
        asked, scored, told = self.parts(item)
        general = _condition("<other/>", feedback=GENERAL) if item.explanation else ""
        shown = [*told, *([(GENERAL, item.explanation)] if item.explanation else [])]
        self.passed_over(item)
        language = f" xml:lang={quoteattr(self.language)}" if self.language else ""
        return (
            f"<item ident={quoteattr(item.id)} title={quoteattr(item.name or item.id)}{language}>"
            f"<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>"
            f"<presentation>{self.material(item.stem)}{asked}</presentation>"
            f"<resprocessing>{_OUTCOMES}{general}{scored}</resprocessing>"
            f"{''.join(self.feedback(name, text) for name, text in shown)}{self.hints(item)}</item>\n"
        )

    def parts(self, item: DraftItem) -> tuple[str, str, list[tuple[str, str]]]:
        """What is asked, the conditions, and feedback by name."""
        if item.kind in {"single", "multiple"}:
            return self.choice(item)
        return {"number": self.number, "text": self.short, "order": self.order, "match": self.match}[item.kind](item)

    def hints(self, item: DraftItem) -> str:
        """Hints, which are told one after the other."""
        if not item.hints:
            return ""
        made = "".join(f"<hintmaterial>{self.material(hint)}</hintmaterial>" for hint in item.hints)
        return f'<itemfeedback ident="hints"><hint feedbackstyle="Incremental">{made}</hint></itemfeedback>'

    def passed_over(self, item: DraftItem) -> None:
        """Say what the format holds and Canvas does not heed."""
        parts = (
            ("hints", bool(item.hints)),
            ("pins: which options do not move", any(option.pin for option in item.options)),
            ("that capital letters count", item.match_case),
            ("answers that earn a part of the points", any(0 < answer.credit < 1 for answer in item.accept)),
            ("steps in order (New Quizzes alone has them)", item.kind == "order"),
        )
        if found := [words for words, there in parts if there]:
            self.notices.add(0, item.id, "canvas", f"written, but Canvas passes over it: {'; '.join(found)}")

    def choice(self, item: DraftItem) -> tuple[str, str, list[tuple[str, str]]]:
        """`single` and `multiple`: one condition holds the whole key."""
        options = pins.in_place(item.options)
        labels = "".join(
            self.label(option.id, option.text, ' rshuffle="No"' if option.pin else "") for option in options
        )
        if item.kind == "single":
            key = "".join(_equal(option.id) for option in options if option.correct)
        else:
            tests = (_equal(one.id) if one.correct else f"<not>{_equal(one.id)}</not>" for one in options)
            key = f"<and>{''.join(tests)}</and>"
            if item.credit == "exact":
                message = (
                    "all or nothing is not exported: Canvas gives the share of right options less that of wrong ones"
                )
                self.notices.add(0, item.id, "lost", message)
        told = [(_told(option.id), option.rationale) for option in options if option.rationale]
        shown = "".join(
            _condition(_equal(option.id), feedback=_told(option.id)) for option in options if option.rationale
        )
        kind = "Single" if item.kind == "single" else "Multiple"
        # Without a pin nothing is said of mixing: Canvas keeps that for the whole quiz.
        mixed = ' shuffle="Yes"' if any(option.pin for option in options) else ""
        asked = (
            f'<response_lid ident="response1" rcardinality="{kind}"><render_choice{mixed}>{labels}</render_choice>'
            "</response_lid>"
        )
        return asked, shown + _condition(key, "100"), told

    def number(self, item: DraftItem) -> tuple[str, str, list[tuple[str, str]]]:
        """`number`: the value and the range around it, as Canvas writes both."""
        value, allowed = item.value or Decimal(0), moodle_grades.absolute(item)
        low, high = canonical(value - allowed), canonical(value + allowed)
        extra = ""
        if item.tolerance is not None and item.tolerance.kind == "relative" and allowed:
            extra = f' margintype="percent" margin="{canonical(item.tolerance.amount * 100)}"'
        around = f'<and><vargte respident="response1">{low}</vargte><varlte respident="response1">{high}</varlte></and>'
        told = [(_told(slip.id), slip.rationale) for slip in item.slips if slip.rationale]
        shown = "".join(
            _condition(_equal(canonical(slip.value)), feedback=_told(slip.id)) for slip in item.slips if slip.rationale
        )
        asked = (
            '<response_str ident="response1" rcardinality="Single"><render_fib fibtype="Decimal">'
            '<response_label ident="answer1"/></render_fib></response_str>'
        )
        return asked, shown + _condition(f"<or>{_equal(canonical(value), extra=extra)}{around}</or>", "100"), told

    def short(self, item: DraftItem) -> tuple[str, str, list[tuple[str, str]]]:
        """`text`: the right texts together, others with their share. A pattern with ``*`` is left out, and said."""
        case = ' case="Yes"' if item.match_case else ""
        plain = {answer.id: list(answers.plain(answer.text, item.id, self.notices)) for answer in item.accept}
        shown, right, parts = "", "", ""
        told: list[tuple[str, str]] = []
        for answer in item.accept:
            tests = [_equal(text, extra=case) for text in plain[answer.id]]
            if answer.rationale and tests:
                told.append((_told(answer.id), answer.rationale))
                shown += "".join(_condition(test, feedback=_told(answer.id)) for test in tests)
            if answer.credit == 1:
                right += "".join(tests)
            elif answer.credit:
                parts += "".join(_condition(test, canonical(round(answer.credit * 100, 5))) for test in tests)
        asked = (
            '<response_str ident="response1" rcardinality="Single"><render_fib>'
            '<response_label ident="answer1" rshuffle="No"/></render_fib></response_str>'
        )
        return asked, shown + (_condition(right, "100") if right else "") + parts, told

    def order(self, item: DraftItem) -> tuple[str, str, list[tuple[str, str]]]:
        """`order`: the steps are listed by their ids, so that the list does not tell the key."""
        if any(option.rationale for option in item.options):
            self.notices.add(0, item.id, "lost", "not exported: the rationales of its parts")
        if item.credit == "partial":
            self.notices.add(0, item.id, "lost", "partial credit is not exported: all or nothing there")
        labels = "".join(self.label(step.id, step.text) for step in sorted(item.options, key=lambda step: step.id))
        asked = (
            '<response_lid ident="response1" rcardinality="Ordered"><render_extension>'
            f'<ims_render_object shuffle="Yes" orientation="Row"><flow_label>{labels}</flow_label></ims_render_object>'
            "</render_extension></response_lid>"
        )
        return asked, _condition("".join(_equal(step.id) for step in item.options), "100"), []

    def match(self, item: DraftItem) -> tuple[str, str, list[tuple[str, str]]]:
        """`match`: a response for each row, with the same targets."""
        if item.credit == "exact":
            message = "all or nothing is not exported: there each row earns its share"
            self.notices.add(0, item.id, "lost", message)
        targets = "".join(self.label(target.id, target.text) for target in item.targets)
        share = canonical(round(Decimal(100) / max(len(item.options), 1), 2))
        asked, scored = "", ""
        for option in item.options:
            name = f"response_{option.id}"
            asked += (
                f'<response_lid ident="{name}">{self.material(option.text)}'
                f"<render_choice>{targets}</render_choice></response_lid>"
            )
            test = _equal(option.target, name)
            scored += _condition(test, share, action="Add")
            if option.rationale:  # Canvas tells it where the row is matched with another target
                scored += _condition(f"<not>{test}</not>", feedback=_told(option.id))
        told = [(_told(option.id), option.rationale) for option in item.options if option.rationale]
        return asked, scored, told
