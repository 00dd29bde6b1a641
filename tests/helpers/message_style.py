"""Checks that all messages of the bot look alike, in every request that sends one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from bot.sandbox import Request
from bot.sandbox.world.json_values import as_object
from cogs.panels.layout import Accent

Json = dict[str, Any]

_ROW, _BUTTON, _TEXT, _GALLERY, _FILE, _CONTAINER = 1, 2, 10, 12, 13, 17
_PRIMARY, _SUCCESS, _DANGER = 1, 3, 4
_ORDER: Final = {_TEXT: "T", _GALLERY: "G", _FILE: "F", _ROW: "A"}


@dataclass(slots=True)
class StyleCheck:
    """Observes requests (`sandbox.journal.observers.append(check.observe)`) and lists what is wrong in `problems`."""

    problems: list[str] = field(default_factory=list[str])

    def observe(self, request: Request) -> None:
        """Check the message that a request sends, if it sends one."""
        payload: Json = as_object(request.payload)
        message: Json = as_object(payload.get("data")) or payload
        components: list[Json] = message.get("components") or []
        if any(component.get("type") in (_CONTAINER, _TEXT, _ROW) for component in components):
            self.problems += [f"{request.method} {request.route}: {problem}" for problem in _oddities(components)]


def _oddities(components: list[Json]) -> Iterator[str]:
    """Yield what sets a message apart from the others."""
    if [component["type"] for component in components] != [_CONTAINER]:
        yield "not one container"
        return
    (container,) = components
    parts: list[Json] = container["components"]
    words = " | ".join(str(part.get("content", ""))[:40] for part in parts[:2])
    if container.get("accent_color") not in [accent.value for accent in Accent]:
        yield f"an accent of its own: {words}"
    order = "".join(_ORDER.get(part["type"], "?") for part in parts)
    words_first, picture, rest = order.partition("G")
    if "?" in order or "G" in rest or (picture and set(words_first) != {"T"}):
        yield f"not title, picture, facts, actions, but {order}: {words}"
    if "T" in order[order.index("A") :] if "A" in order else False:
        yield f"facts after actions, {order}: {words}"
    if picture and not str(parts[0].get("content", "")).startswith("### "):
        yield f"a picture without a title: {words}"
    styles = [item.get("style") for part in parts if part["type"] == _ROW for item in part["components"]]
    if sum(style in (_PRIMARY, _SUCCESS) for style in styles) > 1:
        yield f"several primary buttons: {words}"
    if _DANGER in styles and container["accent_color"] != Accent.TROUBLE.value:
        yield f"a danger without its colour: {words}"
