"""Files of messages: storing uploads, and resolving references to them."""

import mimetypes
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.server.images import png_size, webp_size
from bot.sandbox.server.journal import Upload
from bot.sandbox.server.message_limits import MAX_ALT_LENGTH
from bot.sandbox.server.payloads import UPLOAD_LIMIT, attachment_json
from bot.sandbox.world import components as tree
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.json_values import Json, as_int, as_object, as_objects
from bot.sandbox.world.messages import Attachment, Message

MAX_FILES = 10
REQUEST_LIMIT = 25 * 1024 * 1024
_SCHEME = "attachment://"


class AttachmentStore:
    """All uploaded files by attachment id. `origin` (http://127.0.0.1:PORT) is set once the server listens."""

    def __init__(self, clock: Clock) -> None:
        self.origin = ""
        self.by_id: dict[int, Attachment] = {}
        self._clock = clock

    def apply(
        self, channel_id: int, payload: Json, uploads: Sequence[Upload], current: list[Attachment]
    ) -> list[Attachment]:
        """Store a request's uploads, and return all attachments that the message then has.

        If the payload has an `attachments` field, only the current attachments listed there are kept. Without it, all
        current attachments are kept. Raises `RefusalError` 40005 for files that are too large, and 50035 for an unknown
        attachment or too many attachments.
        """
        sizes = [len(upload.content) for upload in uploads]
        if any(size > UPLOAD_LIMIT for size in sizes) or sum(sizes) > REQUEST_LIMIT:
            raise RefusalError(40005)
        errors = FormErrors()
        by_index = {upload.index: upload for upload in uploads}
        described: dict[int, Json] = {}
        result = [] if "attachments" in payload else list(current)
        for index, row in enumerate(as_objects(payload.get("attachments"))):
            attachment_id = as_int(row.get("id"))
            old = next((attachment for attachment in current if attachment.id == attachment_id), None)
            if row.get("description") is not None:
                errors.check_length(("attachments", index, "description"), row["description"], 0, MAX_ALT_LENGTH)
            if attachment_id in by_index:
                described[attachment_id] = row
            elif old is not None:
                result.append(old)
            else:
                words = "The attachment is neither in this request nor on this message"
                errors.add(("attachments", index, "id"), "ATTACHMENT_NOT_FOUND", words)
        errors.check_count(("attachments",), len(result) + len(by_index), 0, MAX_FILES)
        errors.raise_if_any()
        return result + [self._store(channel_id, upload, described.get(upload.index, {})) for upload in uploads]

    def renew(self, message: Message) -> None:
        """Give a message's files new ids, as if they had been uploaded again."""
        renewed: dict[int, Attachment] = {}
        for old in message.attachments:
            upload = Upload(0, old.filename, old.content)
            renewed[old.id] = self._store(message.channel.id, upload, {"description": old.description})
        message.attachments = list(renewed.values())
        for _, item, _ in tree.media(message.components):
            if (new := renewed.get(as_int(item.get("attachment_id")) or 0)) is not None:
                item |= _media_json(new)

    def _store(self, channel_id: int, upload: Upload, row: Json) -> Attachment:
        attachment_id = self._clock.snowflake()
        filename = PurePosixPath(row.get("filename") or upload.filename).name.replace(" ", "_") or "file"
        png, webp = png_size(upload.content), webp_size(upload.content)
        recognized = "image/png" if png else "image/webp" if webp else None
        attachment = Attachment(
            attachment_id,
            filename,
            upload.content,
            recognized or mimetypes.guess_type(filename)[0] or "application/octet-stream",
            f"{self.origin}/attachments/{channel_id}/{attachment_id}/{quote(filename)}",
            row.get("description"),
            *(png or webp or (None, None)),
        )
        self.by_id[attachment_id] = attachment
        return attachment


def resolve_references(attachments: list[Attachment], components: object, embeds: list[Json]) -> None:
    """Replace `attachment://` references with URLs, in place.

    Raises `RefusalError` 50035 for a reference to an unknown attachment.
    """
    errors = FormErrors()
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
            errors.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Not a well formed URL.")
            continue
        if found is not None:
            item |= _media_json(found)
            if path[-1] == "file":
                owner |= {"name": found.filename, "size": len(found.content)}
        elif url.startswith(_SCHEME):
            words = "The referenced attachment was not found"
            errors.add((*path, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", words)
    for embed in embeds:
        for section in ("image", "thumbnail", "footer", "author"):
            part = as_object(embed.get(section))
            for field in ("url", "icon_url"):
                found = by_name.get(str(part.get(field) or "").removeprefix(_SCHEME))
                if found is not None:
                    part[field] = part[f"proxy_{field}"] = found.url
    errors.raise_if_any()


def _media_json(attachment: Attachment) -> Json:
    row = attachment_json(attachment)
    return {
        "url": row["url"],
        "proxy_url": row["proxy_url"],
        "width": row.get("width"),
        "height": row.get("height"),
        "content_type": row["content_type"],
        "attachment_id": row["id"],
    }
