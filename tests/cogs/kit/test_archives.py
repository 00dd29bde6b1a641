"""Archives hold all files, and none is too large."""

from __future__ import annotations

from io import BytesIO
from random import Random
from zipfile import ZipFile

from cogs.kit.archives import archives


def test_archives_are_split_and_hold_everything() -> None:
    """Files that do not fit together come apart, in their order; one that is too large by itself comes alone."""
    random = Random(1)
    files = [(f"{number}.txt", random.randbytes(size)) for number, size in enumerate([900, 900, 900, 9_000, 10])]
    made = archives(files, 4_000)
    assert [len(one) <= 4_000 for one in made] == [True, True, False, True]
    opened = [ZipFile(BytesIO(one)) for one in made]
    assert [(name, one.read(name)) for one in opened for name in one.namelist()] == files


def test_equal_files_make_equal_archives() -> None:
    """Nothing in them tells when they were made, and text gets smaller."""
    files = [("a.txt", b"a" * 100_000)]
    (one,), (other,) = archives(files, 10_000), archives(files, 10_000)
    assert one == other
    assert len(one) < 1_000
