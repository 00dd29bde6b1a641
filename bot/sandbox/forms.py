"""What a client puts together from a pressed component and from a filled dialog."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from bot.sandbox.components import ComponentKind, Select, walk
from bot.sandbox.core import Core
from bot.sandbox.errors import NotOfferedError
from bot.sandbox.invocation import CHANNEL, MENTIONABLE, ROLE, USER, resolve_entity
from bot.sandbox.message import Message
from bot.sandbox.wire import Json, mapping, rows
from bot.sandbox.world import Channel

_ENTITY = {
    ComponentKind.USER_SELECT: USER,
    ComponentKind.ROLE_SELECT: ROLE,
    ComponentKind.MENTIONABLE_SELECT: MENTIONABLE,
    ComponentKind.CHANNEL_SELECT: CHANNEL,
}


def button_data(message: Message, name: str) -> Json:
    """Build the `data` of a press on the button with this custom_id, label or emoji; raise `NotOfferedError`."""
    named = [button for button in message.buttons if name in (button.custom_id, button.label, button.emoji)]
    if not named:
        words = f"no button {name!r} among {[button.label or button.emoji for button in message.buttons]}"
        raise NotOfferedError(words)
    usable = next((button for button in named if not button.disabled and button.custom_id), None)
    if usable is None:
        words = f"the button {name!r} is disabled or a link"
        raise NotOfferedError(words)
    return _component(message, str(usable.custom_id))


def select_data(core: Core, message: Message, name: str, values: Sequence[object]) -> Json:
    """Build the `data` of a choice in the menu with this custom_id or placeholder; raise `NotOfferedError`."""
    menu = next((menu for menu in message.selects if name in (menu.custom_id, menu.placeholder)), None)
    if menu is None:
        words = f"no menu {name!r} among {[menu.placeholder or menu.custom_id for menu in message.selects]}"
        raise NotOfferedError(words)
    if menu.disabled:
        words = f"the menu {name!r} is disabled"
        raise NotOfferedError(words)
    resolved: Json = {}
    chosen = _chosen(core, message.channel, menu, values, resolved)
    data = _component(message, menu.custom_id) | {"values": chosen}
    return data | ({"resolved": resolved} if resolved else {})


def late_data(message: Message, custom_id: str, values: Sequence[object] | None = None) -> Json:
    """Build the `data` for a button or menu that the message has or once had; raise `NotOfferedError`."""
    if custom_id not in message.past:
        words = f"the message never had {custom_id!r}, only {sorted(message.past)}"
        raise NotOfferedError(words)
    data = _component(message, custom_id)
    return data if values is None else data | {"values": [str(value) for value in values]}


def _component(message: Message, custom_id: str) -> Json:
    row = next(row for _, row in walk(message.past[custom_id]) if row.get("custom_id") == custom_id)
    return {"component_type": row["type"], "custom_id": custom_id, "id": row["id"]}


def _chosen(core: Core, channel: Channel, menu: Select, values: Sequence[object], resolved: Json) -> list[str]:
    if not menu.least <= len(values) <= menu.most:
        words = f"{menu.placeholder or menu.custom_id!r} takes {menu.least} to {menu.most} values, not {len(values)}"
        raise NotOfferedError(words)
    if menu.kind in _ENTITY:
        return [resolve_entity(core, channel, _ENTITY[menu.kind], value, resolved) for value in values]
    return _offered(((option.label, option.value) for option in menu.options), values)


def _offered(options: Iterable[tuple[str, str]], wanted: Sequence[object]) -> list[str]:
    known = {name: value for label, value in options for name in (label, value)}
    missing = [value for value in wanted if value not in known]
    if missing:
        words = f"{missing} not among {sorted(set(known.values()))}"
        raise NotOfferedError(words)
    return [known[str(value)] for value in wanted]


def modal_data(
    core: Core, channel: Channel, custom_id: str, components: list[Json], filled: Mapping[str, object]
) -> Json:
    """Build the `data` of a dialog; `filled` goes by custom_id or label, what it lacks keeps its preset value.

    Raises `NotOfferedError` for fields that do not exist, are required and empty, or hold what they cannot.
    """
    left, resolved = dict(filled), Json()
    parts = [_part(core, channel, component, left, resolved) for component in components]
    if left:
        words = f"the dialog has no field {', '.join(left)}"
        raise NotOfferedError(words)
    data: Json = {"custom_id": custom_id, "components": parts}
    return data | ({"resolved": resolved} if resolved else {})


def _part(core: Core, channel: Channel, component: Json, left: dict[str, object], resolved: Json) -> Json:
    row: Json = {"type": component["type"], "id": component["id"]}
    match component["type"]:
        case ComponentKind.LABEL:
            field = mapping(component["component"])
            return row | {"component": _field(core, channel, field, component["label"], left, resolved)}
        case ComponentKind.ACTION_ROW:
            fields = rows(component["components"])
            return row | {
                "components": [_field(core, channel, f, f.get("label") or "", left, resolved) for f in fields]
            }
        case _:
            return row


def _field(core: Core, channel: Channel, field: Json, label: str, left: dict[str, object], resolved: Json) -> Json:
    kind, custom_id = ComponentKind(field["type"]), str(field["custom_id"])
    row: Json = {"type": int(kind), "id": field["id"], "custom_id": custom_id}
    given = left.pop(custom_id, left.pop(label, None))
    required = field.get("required", True)
    match kind:
        case ComponentKind.TEXT_INPUT:
            text = str(field.get("value") or "" if given is None else given)
            least, most = field.get("min_length", 0), field.get("max_length", 4000)
            if (required and not text) or (text and not least <= len(text) <= most):
                _refuse(label, given)
            return row | {"value": text}
        case ComponentKind.CHECKBOX:
            return row | {"value": bool(field.get("default") if given is None else given)}
        case ComponentKind.RADIO_GROUP:
            values = _listed(field, given)
            if required and not values:
                _refuse(label, given)
            return row | {"value": values[0] if values else None}
        case ComponentKind.STRING_SELECT | ComponentKind.CHECKBOX_GROUP:
            values = _listed(field, given)
        case _ if kind in _ENTITY:
            wanted = _many(given)
            values = [resolve_entity(core, channel, _ENTITY[kind], value, resolved) for value in wanted]
        case _:
            values = []
    least = field.get("min_values")
    if required and len(values) < (1 if least is None else least):
        _refuse(label, given)
    return row | {"values": values}


def _listed(field: Json, given: object) -> list[str]:
    options = rows(field.get("options"))
    if given is None:
        return [option["value"] for option in options if option.get("default")]
    return _offered([(option["label"], option["value"]) for option in options], _many(given))


def _many(given: object) -> list[object]:
    if given is None:
        return []
    return list(cast(Iterable[object], given)) if isinstance(given, list | tuple) else [given]


def _refuse(label: str, given: object) -> None:
    words = f"{given!r} does not fit the field {label!r}"
    raise NotOfferedError(words)
