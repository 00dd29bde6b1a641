"""Files that arrive with messages: which stay, what they are, and what refers to them."""

import mimetypes
import struct
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from bot.sandbox import components as tree
from bot.sandbox.errors import Problems, RefusalError
from bot.sandbox.limits import MAX_ALT
from bot.sandbox.message import Attachment
from bot.sandbox.payloads import UPLOAD_LIMIT, attachment_json
from bot.sandbox.wire import Json, Upload, mapping, number, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.sandbox.core import Core
    from bot.sandbox.world import Channel

MAX_FILES = 10
REQUEST_LIMIT = 25 * 1024 * 1024
_PNG_HEAD = b"\x89PNG\r\n\x1a\n"
_SCHEME = "attachment://"


def png_size(content: bytes) -> tuple[int, int] | None:
    """Read width and height in pixels from a PNG's header; None when it is no PNG."""
    if len(content) < 24 or not content.startswith(_PNG_HEAD) or content[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def webp_size(content: bytes) -> tuple[int, int] | None:
    """Read width and height in pixels from the header of an extended WebP, as animations have; None when it is none."""
    if len(content) < 30 or content[:4] != b"RIFF" or content[8:16] != b"WEBPVP8X":
        return None
    return int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1


def attach(
    core: "Core", channel: "Channel", payload: Json, files: "Sequence[Upload]", kept: list[Attachment]
) -> list[Attachment]:
    """Work out the attachments a message has afterwards; raise 50035 or 40005.

    Without an `attachments` field everything that was there stays. With it, what it does not name goes.
    """
    if any(len(file.content) > UPLOAD_LIMIT for file in files) or sum(len(f.content) for f in files) > REQUEST_LIMIT:
        raise RefusalError(40005)
    problems = Problems()
    uploads = {file.index: file for file in files}
    described: dict[int, Json] = {}
    result: list[Attachment] = []
    if "attachments" not in payload:
        result += kept
    for index, row in enumerate(rows(payload.get("attachments"))):
        identity = number(row.get("id"))
        old = next((attachment for attachment in kept if attachment.id == identity), None)
        if row.get("description") is not None:
            problems.length(("attachments", index, "description"), row["description"], 0, MAX_ALT)
        if identity in uploads:
            described[uploads[identity].index] = row
        elif old is not None:
            result.append(old)
        else:
            words = "The attachment is neither in this request nor on this message"
            problems.add(("attachments", index, "id"), "ATTACHMENT_NOT_FOUND", words)
    problems.count(("attachments",), len(result) + len(uploads), 0, MAX_FILES)
    problems.check()
    result += [_store(core, channel, upload, described.get(upload.index, {})) for upload in files]
    return result


def _store(core: "Core", channel: "Channel", upload: Upload, row: Json) -> Attachment:
    identity = core.world.clock.snowflake()
    filename = PurePosixPath(row.get("filename") or upload.filename).name.replace(" ", "_") or "file"
    png, webp = png_size(upload.content), webp_size(upload.content)
    known = "image/png" if png else "image/webp" if webp else None
    kind = known or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    attachment = Attachment(
        identity,
        filename,
        upload.content,
        kind,
        f"{core.origin}/attachments/{channel.id}/{identity}/{quote(filename)}",
        row.get("description"),
        *(png or webp or (None, None)),
    )
    core.attachments[identity] = attachment
    return attachment


def resolve(attachments: list[Attachment], components: object, embeds: list[Json]) -> None:
    """Replace `attachment://` references by addresses, in place; raise 50035 for one that leads nowhere."""
    problems = Problems()
    by_name = {attachment.filename: attachment for attachment in attachments}
    by_url = {attachment.url: attachment for attachment in attachments}
    for path, item, owner in tree.media(components):
        url = str(item.get("url") or "")
        if url.startswith(_SCHEME):
            found = by_name.get(url.removeprefix(_SCHEME))
        elif path[-1] != "file" and (url.startswith(("http://", "https://"))):
            found = by_url.get(url)
            item.setdefault("proxy_url", url)
        else:
            problems.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Not a well formed URL.")
            continue
        if found is not None:
            item |= _media(found)
            if path[-1] == "file":
                owner |= {"name": found.filename, "size": len(found.content)}
        elif url.startswith(_SCHEME):
            words = "The referenced attachment was not found"
            problems.add((*path, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", words)
    for embed in embeds:
        for place in ("image", "thumbnail", "footer", "author"):
            part = mapping(embed.get(place))
            for field in ("url", "icon_url"):
                found = by_name.get(str(part.get(field) or "").removeprefix(_SCHEME))
                if found is not None:
                    part[field] = part[f"proxy_{field}"] = found.url
    problems.check()


def _media(attachment: Attachment) -> Json:
    row = attachment_json(attachment)
    return {
        "url": row["url"],
        "proxy_url": row["proxy_url"],
        "width": row.get("width"),
        "height": row.get("height"),
        "content_type": row["content_type"],
        "attachment_id": row["id"],
    }
