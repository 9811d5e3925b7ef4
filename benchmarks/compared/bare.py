"""The same quiz written by hand on each technique, as short as it can be: what a tool pays for more than that.

Each is the source of a cell. The page's own grades without a kernel and is the floor of everything that is timed.
"""

from __future__ import annotations

IPYWIDGETS = """import ipywidgets as widgets
from IPython.display import display

def one(question):
    title = widgets.Label(question["stem"])
    radio = widgets.RadioButtons(options=question["options"], value=None)
    check, said = widgets.Button(description="Check"), widgets.Label()

    def on_check(_button):
        said.value = "Right." if radio.index == question["right"] else "Wrong."

    check.on_click(on_check)
    return widgets.VBox([title, radio, check, said])

def quiz(questions):
    return widgets.VBox([one(question) for question in questions])
"""

ANYWIDGET = '''import anywidget, traitlets
from IPython.display import display

class Quiz(anywidget.AnyWidget):
    _esm = """
    function render({model, el}) {
      const said = model.get("questions").map((question, number) => {
        const box = document.createElement("fieldset");
        const title = document.createElement("legend");
        title.textContent = question.stem;
        box.append(title);
        question.options.forEach((text, at) => {
          const label = document.createElement("label");
          const radio = document.createElement("input");
          radio.type = "radio";
          radio.name = `${model.model_id ?? ""}-${number}`;
          radio.addEventListener("change", () => {
            model.set("answer", [number, at]);
            model.save_changes();
          });
          label.append(radio, " " + text);
          box.append(label, document.createElement("br"));
        });
        const feedback = document.createElement("p");
        feedback.setAttribute("role", "status");
        box.append(feedback);
        el.append(box);
        return feedback;
      });
      model.on("change:verdict", () => {
        const [number, text] = model.get("verdict");
        said[number].textContent = text;
      });
    }
    export default { render };
    """
    questions = traitlets.List().tag(sync=True)
    answer = traitlets.List().tag(sync=True)
    verdict = traitlets.List().tag(sync=True)

    def __init__(self, questions):
        self._key = [question["right"] for question in questions]
        super().__init__(questions=[{"stem": q["stem"], "options": q["options"]} for q in questions])

    @traitlets.observe("answer")
    def _grade(self, change):
        number, at = change["new"]
        self.verdict = [number, "Right." if at == self._key[number] else "Wrong."]
'''

HTML = '''import html, uuid
from IPython.display import HTML, display

def page(questions):
    name = "quiz" + uuid.uuid4().hex[:8]
    parts = [f'<form id="{name}">']
    for number, question in enumerate(questions):
        parts.append(f"<fieldset><legend>{html.escape(question['stem'])}</legend>")
        for at, text in enumerate(question["options"]):
            right = " data-right" if at == question["right"] else ""
            parts.append(f'<label><input type="radio" name="{name}-{number}"{right}> {html.escape(text)}</label><br>')
        parts.append('<p role="status"></p></fieldset>')
    parts.append(f"""</form><script>
document.getElementById("{name}").addEventListener("change", (event) => {{
  const said = event.target.closest("fieldset").querySelector("[role=status]");
  said.textContent = event.target.hasAttribute("data-right") ? "Right." : "Wrong.";
}});
</script>""")
    return "".join(parts)
'''
