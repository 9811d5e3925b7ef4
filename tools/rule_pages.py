"""Writes `docs/rules/`: a page for each rule of the checker, from what the rule says of itself and from its fixtures.

`python -m tools.rule_pages` writes them; `tests/test_rules.py` compares. A fixture is `tests/rules/RULE/fails` and
`passes`, a file or a folder; `expected.txt` beside them holds what the checker says of the failing one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from pygments.lexers import get_lexer_by_name
from pygments.token import Token

from quiz_widgets import authoring
from quiz_widgets.authoring import wording
from quiz_widgets.authoring.overlays import po
from quiz_widgets.authoring.rules import FAMILIES, RULES, Rule
from quiz_widgets.problems import Problem

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "tests" / "rules"
PAGES = ROOT / "docs" / "rules"
_LANGUAGES = {".yaml": "yaml", ".md": "markdown", ".json": "json", ".po": "po", ".toml": "toml", ".py": "python"}
_AROUND = 2  # lines shown around a change, so that one sees where it stands


def fixture(rule: str, name: str) -> Path:
    """The failing or the passing fixture of a rule."""
    file = FIXTURES / rule / f"{name}.yaml"
    return file if file.exists() else FIXTURES / rule / name


def problems(path: Path) -> tuple[Problem, ...]:
    """What the checker finds in a fixture: quizzes, interface words or a PO file."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    if any(file.name == wording.SOURCE for file in files):
        return tuple(wording.check([path]))
    report = authoring.check([path])
    found = list(report.problems)
    for file in files:
        if file.suffix == ".po":
            [(_, quiz)] = report.found
            found += po.read(file.read_bytes(), str(file), {"title": quiz.title.forms["en"].source})[1]
    return tuple(found)


def pages() -> dict[Path, str]:
    """Every page by its path."""
    made = {PAGES / f"{rule.id}.md": _page(rule) for rule in RULES.values()}
    made[PAGES / "index.md"] = "\n".join(_index())
    return made


def _index() -> Iterator[str]:
    yield "# The rules of `check`\n"
    yield "Each rule has an id that stays for ever, a weight and a page with an example ([checking](../checking.md)).\n"
    for family, rules in FAMILIES.items():
        yield f"## {family}\n"
        yield "| rule | | finds |"
        yield "|---|---|---|"
        for rule in rules:
            fixed = ", `--fix`" if rule.fixed else ""
            yield f"| [{rule.id}]({rule.id}.md) | {rule.severity}{fixed} | {rule.finds.replace('|', chr(92) + '|')} |"
        yield ""
    yield "```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def _page(rule: Rule) -> str:
    parts = [f"# {rule.id}\n", f"*{_weight(rule)}*\n", f"{rule.finds}\n", f"{rule.why}\n", "## Found\n"]
    parts += _example(rule, failing=True)
    said = (FIXTURES / rule.id / "expected.txt").read_text(encoding="utf-8").rstrip("\n")
    said = said.replace("fails.yaml", "quiz.yaml").replace("fails/", "")
    parts += [f"```text\n{said}\n```\n", "## Mended\n"]
    parts += _example(rule, failing=False)
    parts += ["## Accept it\n", f"{_accept(rule)}\n"]
    return "\n".join(parts)


def _weight(rule: Rule) -> str:
    kinds = {"error": "An error", "warning": "A warning", "note": "A note"}
    strict = "; an error where the quiz is `strict`" if rule.severity == "warning" and rule.id != "stale" else ""
    fixed = "; `check --fix` mends what is certain" if rule.fixed else ""
    return f"{kinds[rule.severity]}{strict}{fixed}."


def _accept(rule: Rule) -> str:
    if not rule.acceptable:
        return "Errors cannot be accepted: mend what is found."
    where = "In the later item" if rule.course else "In the item, or in the quiz"
    return (
        f"{where}, with the reason ([exceptions](../checking.md#exceptions)):\n\n"
        f"```yaml\nexceptions:\n  {rule.id}: The reason why it is right here.\n```"
    )


def _example(rule: Rule, *, failing: bool) -> Iterator[str]:
    """The lines of each file in which the two fixtures differ, with some around them."""
    old, new = (_texts(fixture(rule.id, name)) for name in ("fails", "passes"))
    shown, other = (old, new) if failing else (new, old)
    for name, text in shown.items():
        if text == other.get(name) or not text.strip():
            continue
        several = f"`{name}`:\n\n" if len(shown) > 1 else ""
        excerpt = _excerpt(text, other.get(name, ""))
        fence = "````" if "```" in excerpt else "```"
        yield f"{several}{fence}{_language(name, excerpt)}\n{excerpt}\n{fence}\n"


def _language(name: str, excerpt: str) -> str:
    """By which the excerpt is coloured: none where it is too broken for that."""
    language = _LANGUAGES.get(Path(name).suffix, "text")
    tokens = get_lexer_by_name(language).get_tokens(excerpt)
    return "text" if any(token is Token.Error for token, _ in tokens) else language


def _texts(path: Path) -> dict[str, str]:
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    texts = {}
    for file in files:
        name = "quiz.yaml" if file == path else file.relative_to(path).as_posix()
        text = file.read_bytes().decode("utf-8", "replace")
        texts[name] = text.replace(f"id: {path.stem}\n", "id: formats\n").replace(f"[{path.stem}]", "[formats]")
    return texts


def _excerpt(text: str, other: str) -> str:
    lines = text.rstrip("\n").split("\n")
    wanted: set[int] = set()
    matcher = difflib.SequenceMatcher(None, lines, other.rstrip("\n").split("\n"), autojunk=False)
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind != "equal":
            wanted |= set(range(max(0, start - _AROUND), min(len(lines), end + _AROUND)))
    made: list[str] = []
    for index, line in enumerate(lines):
        if index in wanted:
            if made and index - 1 not in wanted:
                made.append("…")
            made.append(line)
    return "\n".join(made)


def main() -> None:
    """Write what is missing or stale, and remove what no rule has."""
    made = pages()
    PAGES.mkdir(exist_ok=True)
    for path in set(PAGES.glob("*.md")) - set(made):
        path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
