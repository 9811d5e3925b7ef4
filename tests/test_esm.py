"""The joiner keeps meaning: what it drops, what it accepts, and what it refuses with file and line."""

from __future__ import annotations

import re

import pytest

from quiz_widgets import frontend
from quiz_widgets.frontend import esm
from quiz_widgets.frontend.lexer import tokens

KEPT = [
    "const a = 'it // is /* not */ a comment';",
    'const a = "a \\" b   c // d";',
    "const a = `one\n    two // ${b ? `in /* ner */ ${\"}\"}` : '}'} three`;",
    "const a = /[/*\"'`]  \\/ x/g;",
    "const a = [/  b/, b / 2 / c];",
    "const a = (b) / 2; const c = d /  e;",
]


def without_space(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("code", KEPT)
def test_strings_templates_and_regular_expressions_stay_as_they_are(code: str) -> None:
    literals = [token.text for token in tokens(code, "a.js") if token.kind in ("string", "template", "regex")]

    joined = esm.parse(code, "a.js").text

    assert without_space(joined) == without_space(code)
    assert all(literal in joined for literal in literals)


def test_the_kinds_of_tokens_are_told_apart() -> None:
    found = [(token.kind, token.text) for token in tokens("return /a b/.test(x) ? y / z : `${'`'}`", "a.js")]

    assert [text for kind, text in found if kind == "regex"] == ["/a b/"]
    assert [text for kind, text in found if kind == "template"] == ["`${'`'}`"]
    assert ("mark", "/") in found


def test_comments_indentation_and_spaces_beside_marks_go() -> None:
    code = "// head\nfunction f(a) {\n    /* why */ return a + +a - -a; // end\n}\n\n\n"

    assert esm.parse(code, "a.js").text == "function f(a){return a+ +a- -a}\n"


# What stands in a function's body, and what becomes of it: nothing else may go than what means nothing.
BODIES = {
    "a;\nb;": "a;b",
    "a\nb": "a\nb",
    "f()\n;[a] = b": "f();[a]=b",
    "a\n[b]": "a\n[b]",
    "a\n(b)": "a\n(b)",
    "a\n++\nb": "a\n++\nb",
    "a +\n+b": "a+\n+b",
    "return\na": "return\na",
    "a\n  .b()\n  ?.c": "a.b()?.c",
    "return a\n ? b\n : c": "return a?b:c",
    "f(\n a,\n b,\n)": "f(a,b,)",
    "const a = {\n b,\n}\nc": "const a={b,}\nc",
    "if (a) b();": "if(a)b()",
    "if (f(a));": "if(f(a));",
    "while (a);": "while(a);",
    "for (;;);": "for(;;);",
    "if (a) b; else;": "if(a)b;else;",
    "do; while (a)": "do;while(a)",
    ";": ";",
    "a: ;": "a:;",
    "const a = '(';": "const a='('",
    "a = (b) => b;": "a=b=>b",
    "a = async (b) => b": "a=async(b)=>b",
    "a = (b, c) => b": "a=(b,c)=>b",
    "a = (b = 1) => b": "a=(b=1)=>b",
    "a((b) => (c) => b(c))": "a(b=>c=>b(c))",
    "if (a) {\n b()\n}\n(c)": "if(a){b()}(c)",
    "if (a) {\n b\n} else {\n c\n}\nd": "if(a){b}else{c}d",
    "for (const a of b) {\n c\n}\n[d] = e": "for(const a of b){c}[d]=e",
    "try {\n a\n} catch (b) {\n c\n} finally {\n d\n}\ne": "try{a}catch(b){c}finally{d}e",
    "const a = (b) => {\n c\n}\nd": "const a=b=>{c}\nd",
    "const a = function (b) {\n c\n}\n(d)": "const a=function(b){c}\n(d)",
    "const a = {\n b(c) {\n d\n }\n}\ne": "const a={b(c){d}}\ne",
    "class A extends B {\n a() {\n b\n }\n get c() {\n d\n }\n}\ne": "class A extends B{a(){b}get c(){d}}\ne",
    "const a = 1;\nconst b = 2;\nc()": "const a=1,b=2;c()",
    "const { a } = b; const [c] = d": "const{a}=b,[c]=d",
    "const a = (b) => { const c = 1; return c; }; const d = 2": "const a=b=>{const c=1;return c},d=2",
    "let a = 1; const b = 2; let c": "let a=1;const b=2;let c",
    "for (const a of b) c; const d = 2": "for(const a of b)c;const d=2",
    "if (a) { b; } const c = 1; const d = 2": "if(a){b}const c=1;const d=2",
    "const a = {}\nif (b) c; const d = 1": "const a={}\nif(b)c;const d=1",
    "const a = b\nc(); const d = 1": "const a=b\nc();const d=1",
    "const a = class { const = 1; const = 2 }": "const a=class{const=1;const=2}",
    "const a = ';'; const b = c": "const a=';',b=c",
    "a < !b": "a< !b",
    "a <\n!--b": "a<\n!--b",
}


@pytest.mark.parametrize("body", BODIES)
def test_line_breaks_and_semicolons_go_only_where_they_mean_nothing(body: str) -> None:
    assert esm.parse(f"function f() {{\n{body}\n}}", "a.js").text == f"function f(){{{BODIES[body]}}}\n"


def test_top_level_declarations_stay_apart() -> None:
    assert esm.parse("const a = 1;\nconst b = 2;\n", "a.js").text == "const a=1;\nconst b=2;\n"


def test_modules_are_joined_after_what_they_need_and_once() -> None:
    files = {
        "page.js": (
            'import { b } from "./b.js";\nimport { a, c } from "./a.js";\n'
            "export function start(data) { return a + b + c + data; }\n"
        ),
        "a.js": "export const a = 1;\nexport let c = 3;\n",
        "b.js": 'import { a } from "./a.js";\nexport const b = a;\n',
    }

    joined = esm.classic("page.js", files.__getitem__)

    assert joined == (
        '(data => {\n"use strict";\nconst a=1;\nlet c=3;\nconst b=a;\n'
        "function start(data){return a+b+c+data}\nstart(data);\n})"
    )


def test_an_es_module_keeps_its_default_export_only() -> None:
    files = {"w.js": 'import { a } from "./a.js";\nexport default { a };\n', "a.js": "export async function a() {}\n"}

    assert esm.standard("w.js", files.__getitem__) == "async function a(){}\nexport default{a};\n"


REFUSED = {
    "a renamed import": ("import { a as b } from './a.js';", "1: an import that cannot be joined"),
    "a namespace import": ('\nimport * as a from "./a.js";', "2: an import that cannot be joined"),
    "a default import": ('import a from "./a.js";', "1: an import that cannot be joined"),
    "an import of a package": ('import { a } from "lodash";', "1: an import that cannot be joined"),
    "an import on two lines": ('import {\n a } from "./a.js";', "1: an import that cannot be joined"),
    "a bare import": ('import "./a.js";', "1: an import that cannot be joined"),
    "a dynamic import": ('function f() {\n return import("./a.js"); }', "2: a dynamic import cannot be joined"),
    "a re-export": ('export { a } from "./a.js";', "1: only declarations are exported"),
    "a star export": ('export * from "./a.js";', "1: only declarations are exported"),
    "an export of a name": ("const a = 1;\nexport { a };", "2: only declarations are exported"),
    "an exported pattern": ("export const { a } = b;", "1: a top-level declaration needs one name"),
    "a pattern": ("const [a] = b;", "1: a top-level declaration needs one name"),
    "two names at once": ("const a = 1, b = 2;", "1: top-level names are declared one at a time"),
    "a name declared twice": ("let a;\nfunction a() {}", "2: 'a' is declared twice"),
    "the end of a script": ('const a = "</scr" + "ipt>"; // </SCRIPT', "1: '</script'"),
    "an HTML comment": ("a <!--b", "1: '</script'"),
    "a second default": ("export default 1;\nexport default 2;", "2: a second `export default`"),
    "an unfinished string": ('const a = "b;\n', '1: a string or comment that does not end: "b;'),
    "an unfinished template": ("const a = `b ${c", "1: a template literal that does not end"),
    "an unfinished template in a template": ("const a = `b ${`c", "1: a template literal that does not end"),
    "an escape at the end of a template": ("const a = `b\\", "1: a template literal that does not end"),
    "an unfinished comment": ("/* b", "1: a string or comment that does not end: /* b"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_change_meaning_is_refused_with_file_and_line(case: str) -> None:
    code, message = REFUSED[case]

    with pytest.raises(esm.JoinError, match=re.escape(f"bad.js:{message}")):
        esm.parse(code, "bad.js")


BROKEN = {
    "a cycle": (
        {
            "e.js": 'import { a } from "./a.js";',
            "a.js": 'import { b } from "./b.js";\nexport const a = 1;',
            "b.js": '\nimport { a } from "./a.js";\nexport const b = 1;',
        },
        "b.js:2: a cycle of imports: a.js -> b.js -> a.js",
    ),
    "a missing file": ({"e.js": '\nimport { a } from "./gone.js";'}, "e.js:2: there is no ./gone.js"),
    "a name that is not exported": (
        {"e.js": 'import { b } from "./a.js";', "a.js": "const b = 1;"},
        "e.js:1: a.js does not export 'b'",
    ),
    "a name in two modules": (
        {"e.js": 'import { a } from "./a.js";\n\nconst b = 1;', "a.js": "const b = 1;\nexport const a = 1;"},
        "e.js:3: 'b' is a top-level name of a.js too",
    ),
    "a default beside the entry": (
        {"e.js": 'import { a } from "./a.js";', "a.js": "export const a = 1;\nexport default a;"},
        "a.js:1: `export default` stands in an entry only",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_modules_that_do_not_fit_together_are_refused(case: str) -> None:
    files, message = BROKEN[case]

    with pytest.raises(esm.JoinError, match=re.escape(message)):
        esm.modules("e.js", files.__getitem__)


def test_entries_have_the_export_that_their_kind_needs() -> None:
    with pytest.raises(esm.JoinError, match="exports `start`"):
        esm.classic("e.js", {"e.js": "const a = 1;"}.__getitem__)
    with pytest.raises(esm.JoinError, match="has an `export default`"):
        esm.standard("e.js", {"e.js": "const a = 1;"}.__getitem__)


def test_script_and_style_stay_small() -> None:
    assert len(frontend.script().encode()) <= 40_000
    assert len(frontend.css().encode()) <= 10_000


def test_nothing_is_fetched_from_anywhere() -> None:
    everything = frontend.script() + frontend.css() + frontend.module("widget") + frontend.module("link")

    assert not re.search(r"https?:|//[a-z]+\.|url\(|@import|\bfetch\(|XMLHttpRequest|import\(", everything)
