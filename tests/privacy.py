"""`python -m tests.privacy`: the list of fields in docs/privacy.md, generated from the database tables."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Table

from bot.store.personal import Personal, personal_data
from bot.store.tables import metadata


def personal_fields_table() -> str:
    """Return a Markdown table of all columns with personal data: how each is exported, and how it is forgotten."""
    rows = ["| table | fields | in an export | when you are forgotten |", "| --- | --- | --- | --- |"]
    return "\n".join([*rows, *(row for table in metadata.tables.values() for row in _rows(table))])


def _rows(table: Table) -> list[str]:
    groups: dict[tuple[bool, str], list[tuple[str, Personal]]] = {}
    for column in table.columns:
        personal = personal_data(column)
        if personal is not None:
            groups.setdefault((personal.exported is None, personal.forgotten), []).append((column.name, personal))
    return [
        f"| `{table.name}` | {_list(name for name, _ in group)} |"
        f" {'no' if hidden else _list(dict.fromkeys(str(said.exported) for _, said in group))} | {forgotten} |"
        for (hidden, forgotten), group in groups.items()
    ]


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    print(personal_fields_table())
