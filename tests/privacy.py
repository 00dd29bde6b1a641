"""`python -m tests.privacy`: the list of fields in docs/privacy.md, generated from the database tables."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Table

from bot.store.personal import Personal, declaration
from bot.store.tables import metadata


def fields() -> str:
    """Return a Markdown table of the personal columns: how each is exported, and what forgetting does to it."""
    rows = ["| table | fields | in an export | when you are forgotten |", "| --- | --- | --- | --- |"]
    return "\n".join([*rows, *(row for table in metadata.tables.values() for row in _rows(table))])


def _rows(table: Table) -> list[str]:
    groups: dict[tuple[bool, str], list[tuple[str, Personal]]] = {}
    for column in table.columns:
        said = declaration(column)
        if said is not None:
            groups.setdefault((said.exported is None, said.forgotten), []).append((column.name, said))
    return [
        f"| `{table.name}` | {_list(name for name, _ in group)} |"
        f" {'no' if hidden else _list(dict.fromkeys(str(said.exported) for _, said in group))} | {forgotten} |"
        for (hidden, forgotten), group in groups.items()
    ]


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    print(fields())
