"""The pictures that a file's texts name: found in the file itself, checked, and kept under a safe name."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from quiz_widgets.formats import images

MAX_PICTURES = 500
_DATA = re.compile(r"data:[\w.+/;=-]*?;base64,", re.IGNORECASE)
_PLUGINFILE = re.compile(r"^(?:@@PLUGINFILE@@|%40%40PLUGINFILE%40%40|\$IMS-CC-FILEBASE\$|%24IMS-CC-FILEBASE%24)/")


@dataclass(slots=True)
class Pictures:
    """`members` are the files that come with the texts, by name; `kept` those that the quiz will have."""

    members: Mapping[str, bytes] = field(default_factory=dict)
    kept: dict[str, bytes] = field(default_factory=dict)

    def take(self, address: str) -> tuple[str, str]:
        """The name under which a text's picture is kept, and why it is not (empty: it is)."""
        if data := _DATA.match(address):
            try:
                return self.keep("picture", base64.b64decode(address[data.end() :]))
            except (binascii.Error, ValueError):
                return "", "its base64 is damaged"
        name = unquote(_PLUGINFILE.sub("", address)).partition("?")[0].removeprefix("./")
        content = self.members.get(name)
        if content is None:
            wanted = name.rpartition("/")[2]
            near = [member for member in self.members if member.rpartition("/")[2] == wanted]
            content = self.members[near[0]] if len(near) == 1 and wanted else None
        if content is None:
            return "", "the file does not hold it"
        return self.keep(name, content)

    def keep(self, name: str, content: bytes) -> tuple[str, str]:
        """The same for a picture at hand."""
        for known, kept in self.kept.items():
            if kept == content:
                return known, ""
        suffix, fault = images.check(content)
        if fault:
            return "", fault
        if len(self.kept) >= MAX_PICTURES:
            return "", f"there are more than {MAX_PICTURES} pictures"
        made = images.safe_name(name if "." in name else f"{name}.x", suffix, set(self.kept))
        self.kept[made] = content
        return made, ""
