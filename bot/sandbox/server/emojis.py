"""The emojis of the bot's application: uploading them, and using them in components.

Sources: Discord's API reference, "Emoji Resource", and its component reference.
"""

import base64
import binascii
import re
from dataclasses import dataclass, field, replace

from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.server.images import recognize
from bot.sandbox.world import components as tree
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.emojis import Emoji
from bot.sandbox.world.json_values import Json, as_int

MAX_EMOJIS = 2000
MAX_IMAGE_BYTES = 256 * 1024

_NAME = re.compile(r"\w+", re.ASCII)
_DATA_URI = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp|avif);base64,(.*)", re.DOTALL)


@dataclass(slots=True)
class EmojiRegistry:
    """All emojis of the application, by id."""

    clock: Clock
    by_id: dict[int, Emoji] = field(default_factory=dict[int, Emoji])

    def add(self, body: Json) -> Emoji:
        """Add an emoji from a request's `name` and `image`.

        Raises `RefusalError` 50035 for an invalid name or image, and 30008 if the limit is reached.
        """
        errors = FormErrors()
        self._check_name(errors, body.get("name"))
        content = _read_image(errors, body.get("image"))
        errors.raise_if_any()
        if len(self.by_id) >= MAX_EMOJIS:
            raise RefusalError(30008, message=f"Maximum number of emojis reached ({MAX_EMOJIS})")
        content_type, animated = recognize(content) or ("", False)
        emoji = Emoji(self.clock.snowflake(), body["name"], content, content_type, animated)
        self.by_id[emoji.id] = emoji
        return emoji

    def get(self, emoji_id: int) -> Emoji:
        """Return an emoji. Raises `RefusalError` 10014 if it is unknown."""
        if emoji_id not in self.by_id:
            raise RefusalError(10014)
        return self.by_id[emoji_id]

    def rename(self, emoji_id: int, body: Json) -> Emoji:
        """Rename an emoji if the request has a `name`. Return the emoji.

        Raises `RefusalError` 10014 if the emoji is unknown, and 50035 for an invalid name.
        """
        emoji = self.get(emoji_id)
        if "name" in body and body["name"] != emoji.name:
            errors = FormErrors()
            self._check_name(errors, body["name"])
            errors.raise_if_any()
            emoji = self.by_id[emoji_id] = replace(emoji, name=body["name"])
        return emoji

    def remove(self, emoji_id: int) -> None:
        """Delete an emoji. Raises `RefusalError` 10014 if it is unknown."""
        self.get(emoji_id)
        del self.by_id[emoji_id]

    def resolve(self, components: object) -> None:
        """Fill in the stored names of the emojis in buttons and menu options, in place.

        Raises `RefusalError` 50035 for an unknown emoji.
        """
        errors = FormErrors()
        for path, row in tree.emojis(components):
            emoji_id = as_int(row.get("id"))
            if emoji_id in self.by_id:
                emoji = self.by_id[emoji_id]
                row |= {"id": str(emoji.id), "name": emoji.name, "animated": emoji.animated}
            elif emoji_id is not None or str(row.get("name") or "").isascii():
                # Any non-ASCII name is accepted: recognizing Unicode emojis would need a table.
                field = "name" if emoji_id is None else "id"
                errors.add((*path, field), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        errors.raise_if_any()

    def _check_name(self, errors: FormErrors, name: object) -> None:
        errors.check_length(("name",), name, 2, 32)
        if not isinstance(name, str) or errors.errors:
            return
        if not _NAME.fullmatch(name):
            errors.add(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
        elif any(emoji.name == name for emoji in self.by_id.values()):
            words = "Application emoji name is already taken"
            errors.add(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", words)


def _read_image(errors: FormErrors, image: object) -> bytes:
    if not isinstance(image, str):
        errors.add(("image",), "BASE_TYPE_REQUIRED", "This field is required")
        return b""
    found = _DATA_URI.fullmatch(image)
    try:
        content = base64.b64decode(found[1], validate=True) if found else b""
    except binascii.Error:
        content = b""
    if len(content) > MAX_IMAGE_BYTES:
        errors.add(("image",), "BINARY_TYPE_MAX_SIZE", f"File cannot be larger than {MAX_IMAGE_BYTES / 1024} kb.")
    elif recognize(content) is None:
        errors.add(("image",), "IMAGE_INVALID", "Invalid image data")
    return content
