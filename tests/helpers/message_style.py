"""Checks that all messages which the bot sends follow the same layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from bot.sandbox import Request
from bot.sandbox.world.json_values import as_object
from cogs.kit.layout import Accent

Json = dict[str, Any]

_ROW, _SECTION, _TEXT, _GALLERY, _FILE, _CONTAINER = 1, 9, 10, 12, 13, 17
_PRIMARY, _SUCCESS, _DANGER = 1, 3, 4
_NAME: Final = re.compile("\u2068[^\u2069]*\u2069")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s|\n")
_PARTS: Final = {_TEXT: "T", _GALLERY: "G", _FILE: "F", _ROW: "A", _SECTION: "S"}
_ORDER: Final = re.compile("(T{0,2}G)?[TS]*(G[TS]*)*F{0,3}A*[DS]*")
"""The parts of a message in order: title, notice, picture, facts and more pictures, files, buttons, small print."""


@dataclass(slots=True)
class StyleCheck:
    """Collects faults of messages in `problems`. Use it as `sandbox.journal.observers.append(check.observe)`."""

    problems: list[str] = field(default_factory=list[str])

    def observe(self, request: Request) -> None:
        """Check the message that a request sends, if any."""
        payload: Json = as_object(request.payload)
        message: Json = as_object(payload.get("data")) or payload
        components: list[Json] = message.get("components") or []
        if any(component.get("type") in (_CONTAINER, _TEXT, _ROW) for component in components):
            self.problems += [f"{request.method} {request.route}: {problem}" for problem in _style_problems(components)]


def _style_problems(components: list[Json]) -> Iterator[str]:
    """Yield the faults of a message's layout."""
    if [component["type"] for component in components] != [_CONTAINER]:
        yield "not one container"
        return
    (container,) = components
    parts: list[Json] = container["components"]
    words = " | ".join(str(part.get("content", ""))[:40] for part in parts[:2])
    if container.get("accent_color") not in [accent.value for accent in Accent]:
        yield f"an accent of its own: {words}"
    order = "".join(_letter(part) for part in parts)
    if not _ORDER.fullmatch(_with_small_facts(order)):
        yield f"not title, picture, facts, pictured facts, actions, details, but {order}: {words}"
    # A public showdown is only a picture and the result, with a button.
    if "G" in order and order != "GS" and not str(parts[0].get("content", "")).startswith("### "):
        yield f"a picture without a title: {words}"
    texts = [text for part in parts for text in (part, *part.get("components", ())) if text.get("type") == _TEXT]
    for sentence in (
        mixed_sentence for text in texts for mixed_sentence in mixed_sentences(str(text.get("content", "")))
    ):
        yield f"mentions and names in one sentence: {sentence}"
    styles = [item.get("style") for part in parts if part["type"] == _ROW for item in part["components"]]
    if any(styles.count(style) > 1 for style in (_PRIMARY, _SUCCESS)):
        yield f"several primary buttons: {words}"
    if _DANGER in styles and container["accent_color"] != Accent.TROUBLE.value:
        yield f"a danger without its colour: {words}"


def mixed_sentences(text: str) -> Iterator[str]:
    """Yield the sentences that contain both a mention and a plain name.

    Plain names are enclosed in isolate characters, so punctuation in a name does not end a sentence.
    """
    for sentence in _SENTENCE_END.split(_NAME.sub("\u2068\u2069", text)):
        if "\u2068" in sentence and "<@" in sentence:
            yield sentence


def _letter(part: Json) -> str:
    is_detail = part["type"] == _TEXT and str(part.get("content", "")).startswith("-# ")
    return "D" if is_detail else _PARTS.get(part["type"], "?")


def _with_small_facts(order: str) -> str:
    """In a string with a letter for each part of a message, turn small print above the buttons into facts."""
    above, action, below = order.partition("A")
    return above.replace("D", "T") + action + below
