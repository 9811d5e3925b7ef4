"""Pictures with sliders, one a file: each shows a static picture first, then the controls that change it.

A call like ``views.loss_scale(words=words("en"))`` is all that a notebook needs.
"""

from __future__ import annotations

__all__ = [
    "accumulation",
    "adam_bytes",
    "autocast_table",
    "disk_adam",
    "fit_bars",
    "loss_scale",
    "master_weights",
    "measured_gains",
    "number_formats",
    "offload_timeline",
]

try:
    from quiz_widgets.demos.views.accumulation import accumulation
    from quiz_widgets.demos.views.adam_bytes import adam_bytes
    from quiz_widgets.demos.views.autocast_table import autocast_table
    from quiz_widgets.demos.views.disk_adam import disk_adam
    from quiz_widgets.demos.views.fit_bars import fit_bars
    from quiz_widgets.demos.views.loss_scale import loss_scale
    from quiz_widgets.demos.views.master_weights import master_weights
    from quiz_widgets.demos.views.measured_gains import measured_gains
    from quiz_widgets.demos.views.number_formats import number_formats
    from quiz_widgets.demos.views.offload_timeline import offload_timeline
except ModuleNotFoundError as error:
    if error.name is None or error.name.startswith("quiz_widgets"):
        raise
    # A browser's Python has no matplotlib: there a cell says so in place of its picture, and goes on.
    from quiz_widgets.demos.missing import no_picture

    globals().update(dict.fromkeys(__all__, no_picture))
