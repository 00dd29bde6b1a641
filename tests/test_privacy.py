"""The privacy policy lists every column with personal data."""

from pathlib import Path

from bot.store.personal import personal_data
from bot.store.tables import metadata
from tests.privacy import personal_fields_table


def test_every_column_says_what_it_holds_of_people() -> None:
    """Every column declares how it is exported and forgotten, or that it is not personal."""
    for table in metadata.tables.values():
        for column in table.columns:
            assert "personal" in column.info, f"{column}: give it info=personal(…) or info=IMPERSONAL"
            personal_data(column)


def test_the_privacy_policy_is_current() -> None:
    """`docs/privacy.md` contains the list of personal columns exactly as it is generated from the tables."""
    page = (Path(__file__).parents[1] / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert personal_fields_table() in page, "update its list: python -m tests.privacy"
