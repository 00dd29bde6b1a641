"""Message components as JSON trees: walking them and reading what a person would see in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from bot.sandbox.wire import Json, mapping, rows

Path = tuple[str | int, ...]


class ComponentKind(IntEnum):
    """The types of components: Discord's component reference."""

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
    """Yield every component of a tree with its path, parents first."""
    for index, component in enumerate(rows(components)):
        here = (*path, index)
        yield here, component
        yield from walk(component.get("components"), (*here, "components"))
        for single in ("accessory", "component"):
            if isinstance(component.get(single), dict):
                yield (*here, single), component[single]


def media(components: object) -> Iterator[tuple[Path, Json, Json]]:
    """Yield (path of the media field, media object, the item that describes it) for every picture and file."""
    for path, component in walk(components):
        match component.get("type"):
            case ComponentKind.THUMBNAIL:
                yield (*path, "media"), mapping(component.get("media")), component
            case ComponentKind.MEDIA_GALLERY:
                for index, item in enumerate(rows(component.get("items"))):
                    yield (*path, "items", index, "media"), mapping(item.get("media")), item
            case ComponentKind.FILE:
                yield (*path, "file"), mapping(component.get("file")), component
            case _:
                pass


def number_components(components: object) -> None:
    """Give each component without an `id` the next free one, as Discord does."""
    found = [component for _, component in walk(components)]
    taken = {component["id"] for component in found if component.get("id")}
    free = (number for number in range(1, len(found) + len(taken) + 1) if number not in taken)
    for component in found:
        if not component.get("id"):
            component["id"] = next(free)


@dataclass(frozen=True, slots=True)
class Button:
    """A button as a person sees it; `custom_id` is None for a link."""

    label: str
    custom_id: str | None
    disabled: bool
    style: int
    url: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a select menu."""

    label: str
    value: str
    description: str | None = None
    default: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """A select menu as a person sees it; `options` is empty unless it is a menu of texts."""

    custom_id: str
    kind: ComponentKind
    placeholder: str | None
    options: tuple[Option, ...]
    least: int
    most: int
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
            mapping(component.get("emoji")).get("name"),
        )
        for _, component in walk(components)
        if component.get("type") == ComponentKind.BUTTON
    ]


def select_of(component: Json) -> Select:
    """Read one select menu."""
    options = tuple(
        Option(row["label"], row["value"], row.get("description"), bool(row.get("default")))
        for row in rows(component.get("options"))
    )
    least, most = component.get("min_values"), component.get("max_values")
    return Select(
        component["custom_id"],
        ComponentKind(component["type"]),
        component.get("placeholder"),
        options,
        1 if least is None else least,
        1 if most is None else most,
        bool(component.get("disabled")),
    )


def selects(components: object) -> list[Select]:
    """List the select menus of a tree in reading order."""
    return [select_of(component) for _, component in walk(components) if component.get("type") in SELECTS]


def texts(components: object) -> list[str]:
    """List the text displays of a tree in reading order."""
    return [
        component.get("content") or ""
        for _, component in walk(components)
        if component.get("type") == ComponentKind.TEXT_DISPLAY
    ]
