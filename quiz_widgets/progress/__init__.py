"""A learner's attempts, kept as files in a data folder: the local `contract.Recorder`, and what it holds.

`progress.history` lists them for the command line.
"""

from quiz_widgets.progress.files import AttemptFolder, data_home
from quiz_widgets.progress.recorder import LocalRecorder

__all__ = ["AttemptFolder", "LocalRecorder", "data_home"]
