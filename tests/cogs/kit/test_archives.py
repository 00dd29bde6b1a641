"""Archives contain all files and respect the size limit."""

from __future__ import annotations

from io import BytesIO
from random import Random
from zipfile import ZipFile

from cogs.kit.archives import archives


def test_archives_are_split_and_hold_everything() -> None:
    """Files are split in order into archives below the limit; a file above the limit gets an archive of its own."""
    random = Random(1)
    files = [(f"{number}.txt", random.randbytes(size)) for number, size in enumerate([900, 900, 900, 9_000, 10])]
    parts = archives(files, 4_000)
    assert [len(part) <= 4_000 for part in parts] == [True, True, False, True]
    opened = [ZipFile(BytesIO(part)) for part in parts]
    assert [(name, archive.read(name)) for archive in opened for name in archive.namelist()] == files


def test_equal_files_make_equal_archives() -> None:
    """Archives of equal files are equal, without timestamps, and text is compressed."""
    files = [("a.txt", b"a" * 100_000)]
    (one,), (other,) = archives(files, 10_000), archives(files, 10_000)
    assert one == other
    assert len(one) < 1_000
