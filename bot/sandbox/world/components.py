"""Message components as trees of JSON objects: traversal, and access to buttons, menus and texts."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from bot.sandbox.world.json_values import Json, as_object, as_objects

Path = tuple[str | int, ...]


class ComponentKind(IntEnum):
    """The component types. Source: "What is a Component" in Discord's component reference."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset({3, 5, 6, 7, 8})
LINK_STYLE = 5


def walk(components: object, path: Path = ("components",)) -> Iterator[tuple[Path, Json]]:
    """Yield (path, component) for every component of a tree, parents first."""
    for index, component in enumerate(as_objects(components)):
        here = (*path, index)
        yield here, component
        yield from walk(component.get("components"), (*here, "components"))
        for single in ("accessory", "component"):
            if isinstance(component.get(single), dict):
                yield (*here, single), component[single]


def media(components: object) -> Iterator[tuple[Path, Json, Json]]:
    """Yield (path of the media field, media object, parent object) for every picture and file."""
    for path, component in walk(components):
        match component.get("type"):
            case ComponentKind.THUMBNAIL:
                yield (*path, "media"), as_object(component.get("media")), component
            case ComponentKind.MEDIA_GALLERY:
                for index, item in enumerate(as_objects(component.get("items"))):
                    yield (*path, "items", index, "media"), as_object(item.get("media")), item
            case ComponentKind.FILE:
                yield (*path, "file"), as_object(component.get("file")), component
            case _:
                pass


def emojis(components: object) -> Iterator[tuple[Path, Json]]:
    """Yield (path, emoji object) for every emoji of a button or a menu option."""
    for path, component in walk(components):
        rows = [(path, component)]
        rows += [((*path, "options", index), row) for index, row in enumerate(as_objects(component.get("options")))]
        yield from (((*row_path, "emoji"), row["emoji"]) for row_path, row in rows if as_object(row.get("emoji")))


def assign_component_ids(components: object) -> None:
    """Give each component without an `id` the lowest free number, as Discord does."""
    all_components = [component for _, component in walk(components)]
    used_ids = {component["id"] for component in all_components if component.get("id")}
    free_ids = (number for number in range(1, len(all_components) + len(used_ids) + 1) if number not in used_ids)
    for component in all_components:
        if not component.get("id"):
            component["id"] = next(free_ids)


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `custom_id` is None for a link, and `url` is None for all other buttons.

    `emoji` is the emoji's name, or its Unicode character.
    """

    label: str
    custom_id: str | None
    disabled: bool
    style: int
    url: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a string select menu. `emoji` is the emoji's name, or its Unicode character."""

    label: str
    value: str
    description: str | None = None
    default: bool = False
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """A select menu. Only a STRING_SELECT has `options`: for other kinds, the client lists users, roles or channels."""

    custom_id: str
    kind: ComponentKind
    placeholder: str | None
    options: tuple[Option, ...]
    min_values: int
    max_values: int
    disabled: bool


def buttons(components: object) -> list[Button]:
    """List the buttons of a tree in reading order."""
    return [
        Button(
            component.get("label") or "",
            component.get("custom_id"),
            bool(component.get("disabled")),
            component.get("style", 2),
            component.get("url"),
            as_object(component.get("emoji")).get("name"),
        )
        for _, component in walk(components)
        if component.get("type") == ComponentKind.BUTTON
    ]


def read_select(component: Json) -> Select:
    """Convert the JSON of a select menu to a `Select`."""
    options = tuple(
        Option(
            row["label"],
            row["value"],
            row.get("description"),
            bool(row.get("default")),
            as_object(row.get("emoji")).get("name"),
        )
        for row in as_objects(component.get("options"))
    )
    min_values, max_values = component.get("min_values"), component.get("max_values")
    return Select(
        component["custom_id"],
        ComponentKind(component["type"]),
        component.get("placeholder"),
        options,
        1 if min_values is None else min_values,
        1 if max_values is None else max_values,
        bool(component.get("disabled")),
    )


def selects(components: object) -> list[Select]:
    """List the select menus of a tree in reading order."""
    return [read_select(component) for _, component in walk(components) if component.get("type") in SELECTS]


def texts(components: object) -> list[str]:
    """List the contents of the text displays of a tree in reading order."""
    return [
        component.get("content") or ""
        for _, component in walk(components)
        if component.get("type") == ComponentKind.TEXT_DISPLAY
    ]
