"""`python -m cardart` writes samples to look at."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from cardart.__main__ import SHEET, main


@pytest.mark.slow
def test_each_sample_and_the_sheet_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The directory is made, holds every kind of picture, and a sheet of them all."""
    main([str(tmp_path / "new")])
    names = {path.stem for path in (tmp_path / "new").iterdir()}
    kinds = {"hand", "table", "showdown", "pad", "profile", "activity", "primer", "sheet"}
    assert {name.partition("-")[0] for name in names} == kinds
    with Image.open(tmp_path / "new" / SHEET) as sheet:
        assert sheet.width > 1000
    assert f"{len(names) - 1} pictures" in capsys.readouterr().out
