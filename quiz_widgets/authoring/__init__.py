"""From YAML and Markdown to quizzes: `load` one, `check` many. For authors and CI; showing a quiz needs none of it."""

from quiz_widgets.authoring.checker import Report, check, coverage, load

__all__ = ["Report", "check", "coverage", "load"]
