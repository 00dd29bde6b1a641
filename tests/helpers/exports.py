"""Reading a person's data export."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from zipfile import ZipFile


def read_export(archives: Iterable[bytes]) -> dict[str, Any]:
    """Return the combined contents of an export's archives, with its matches in a list."""
    files: dict[str, Any] = {}
    for content in archives:
        with ZipFile(BytesIO(content)) as archive:
            files |= {name: json.loads(archive.read(name)) for name in archive.namelist()}
    exported: dict[str, Any] = files.pop("deadwood.json")
    return exported | {"matches": list(files.values())}
