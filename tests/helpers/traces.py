"""Searching the bytes of files for a person, in the forms in which SQLite stores numbers and text."""

from __future__ import annotations

from pathlib import Path


def traces(folder: Path, *wanted: int | str) -> set[tuple[str, str]]:
    """Return the files of a folder that contain any of these ids or names, each with the form that was found."""
    found: set[tuple[str, str]] = set()
    for file in folder.iterdir():
        content = file.read_bytes()
        found |= {(file.name, form) for one in wanted for form, text in _forms(one).items() if text in content}
    return found


def _forms(wanted: int | str) -> dict[str, bytes]:
    if isinstance(wanted, str):
        return {"text": wanted.encode()}
    # An integer column, a row id, and the number as text.
    return {"integer": wanted.to_bytes(8, "big"), "varint": _varint(wanted), "digits": str(wanted).encode()}


def _varint(number: int) -> bytes:
    """Encode a number of more than 56 bits as a SQLite varint: eight groups of seven bits, then eight bits."""
    assert number >> 56
    groups = [(number >> 8 + 7 * place) & 0x7F | 0x80 for place in reversed(range(8))]
    return bytes((*groups, number & 0xFF))
