"""How Sphinx builds these pages: `make docs`."""

from importlib import metadata

project = "quiz_widgets"
version = release = metadata.version("quiz_widgets")
extensions = ["myst_parser", "quiz_widgets.sphinx"]
html_theme = "furo"
html_title = project
myst_heading_anchors = 3
html_copy_source = False
