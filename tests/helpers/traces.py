"""Looking for somebody in the bytes of files, as SQLite writes numbers and text."""

from __future__ import annotations

from pathlib import Path


def traces(folder: Path, *wanted: int | str) -> set[tuple[str, str]]:
    """Return which files of a folder hold any of these ids or names, and in what form."""
    found: set[tuple[str, str]] = set()
    for file in folder.iterdir():
        content = file.read_bytes()
        found |= {(file.name, form) for one in wanted for form, text in _forms(one).items() if text in content}
    return found


def _forms(wanted: int | str) -> dict[str, bytes]:
    if isinstance(wanted, str):
        return {"text": wanted.encode()}
    # A value in a row, the row's own number, and either of them as text.
    return {"integer": wanted.to_bytes(8, "big"), "varint": _varint(wanted), "digits": str(wanted).encode()}


def _varint(number: int) -> bytes:
    """Return a number of more than 56 bits as SQLite writes row numbers: eight times seven bits, then eight."""
    assert number >> 56
    groups = [(number >> 8 + 7 * place) & 0x7F | 0x80 for place in reversed(range(8))]
    return bytes((*groups, number & 0xFF))
