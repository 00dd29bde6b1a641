"""Searching files for traces of a person, in the forms in which SQLite stores ids and names."""

from __future__ import annotations

from pathlib import Path


def traces(folder: Path, *wanted: int | str) -> set[tuple[str, str]]:
    """Search the files in a folder for these ids and names.

    Return pairs of a file's name and the form of an id or name found in the file, such as `varint`.
    """
    matches: set[tuple[str, str]] = set()
    for file in folder.iterdir():
        content = file.read_bytes()
        matches |= {(file.name, form) for value in wanted for form, text in _forms(value).items() if text in content}
    return matches


def _forms(wanted: int | str) -> dict[str, bytes]:
    if isinstance(wanted, str):
        return {"text": wanted.encode()}
    # SQLite can store an id in three forms: an integer column (8 bytes), a row id (varint) or text (digits).
    return {"integer": wanted.to_bytes(8, "big"), "varint": _varint(wanted), "digits": str(wanted).encode()}


def _varint(number: int) -> bytes:
    """Encode a number of more than 56 bits as a SQLite varint: eight groups of seven bits, then eight bits."""
    assert number >> 56
    groups = [(number >> 8 + 7 * index) & 0x7F | 0x80 for index in reversed(range(8))]
    return bytes((*groups, number & 0xFF))
