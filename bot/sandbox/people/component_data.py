"""Building the `data` of component and modal interactions, as a real client does."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from bot.sandbox.people.command_data import CHANNEL, MENTIONABLE, ROLE, USER, resolve_entity
from bot.sandbox.people.errors import NotOfferedError
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.components import ComponentKind, Select, walk
from bot.sandbox.world.json_values import Json, as_object, as_objects
from bot.sandbox.world.messages import Message
from bot.sandbox.world.world import Channel

_ENTITY = {
    ComponentKind.USER_SELECT: USER,
    ComponentKind.ROLE_SELECT: ROLE,
    ComponentKind.MENTIONABLE_SELECT: MENTIONABLE,
    ComponentKind.CHANNEL_SELECT: CHANNEL,
}


def button_data(message: Message, name: str) -> Json:
    """Build the `data` for a press on the button with this custom_id, label or emoji.

    Raises `NotOfferedError` if the message has no such button, or the button is disabled or a link.
    """
    named = [button for button in message.buttons if name in (button.custom_id, button.label, button.emoji)]
    if not named:
        words = f"no button {name!r} among {[button.label or button.emoji for button in message.buttons]}"
        raise NotOfferedError(words)
    usable = next((button for button in named if not button.disabled and button.custom_id), None)
    if usable is None:
        words = f"the button {name!r} is disabled or a link"
        raise NotOfferedError(words)
    return _component_json(message, str(usable.custom_id))


def select_data(state: ServerState, message: Message, name: str, values: Sequence[object]) -> Json:
    """Build the `data` for choosing values in the menu with this custom_id or placeholder.

    Raises `NotOfferedError` if the menu is missing or disabled, or does not accept the values.
    """
    menu = next((menu for menu in message.selects if name in (menu.custom_id, menu.placeholder)), None)
    if menu is None:
        words = f"no menu {name!r} among {[menu.placeholder or menu.custom_id for menu in message.selects]}"
        raise NotOfferedError(words)
    if menu.disabled:
        words = f"the menu {name!r} is disabled"
        raise NotOfferedError(words)
    resolved: Json = {}
    chosen = _select_values(state, message.channel, menu, values, resolved)
    data = _component_json(message, menu.custom_id) | {"values": chosen}
    return data | ({"resolved": resolved} if resolved else {})


def late_data(message: Message, custom_id: str, values: Sequence[object] | None = None) -> Json:
    """Build the `data` for using a button or menu that the message has or once had.

    Raises `NotOfferedError` for any other custom_id.
    """
    if custom_id not in message.past_components:
        words = f"the message never had {custom_id!r}, only {sorted(message.past_components)}"
        raise NotOfferedError(words)
    data = _component_json(message, custom_id)
    return data if values is None else data | {"values": [str(value) for value in values]}


def _component_json(message: Message, custom_id: str) -> Json:
    row = next(row for _, row in walk(message.past_components[custom_id]) if row.get("custom_id") == custom_id)
    return {"component_type": row["type"], "custom_id": custom_id, "id": row["id"]}


def _select_values(
    state: ServerState, channel: Channel, menu: Select, values: Sequence[object], resolved: Json
) -> list[str]:
    if not menu.min_values <= len(values) <= menu.max_values:
        allowed = f"{menu.min_values} to {menu.max_values}"
        words = f"{menu.placeholder or menu.custom_id!r} takes {allowed} values, not {len(values)}"
        raise NotOfferedError(words)
    if menu.kind in _ENTITY:
        return [resolve_entity(state, channel, _ENTITY[menu.kind], value, resolved) for value in values]
    return _option_values(((option.label, option.value) for option in menu.options), values)


def _option_values(options: Iterable[tuple[str, str]], wanted: Sequence[object]) -> list[str]:
    known = {name: value for label, value in options for name in (label, value)}
    missing = [value for value in wanted if value not in known]
    if missing:
        words = f"{missing} not among {sorted(set(known.values()))}"
        raise NotOfferedError(words)
    return [known[str(value)] for value in wanted]


def modal_data(
    state: ServerState, channel: Channel, custom_id: str, components: list[Json], filled: Mapping[str, object]
) -> Json:
    """Build the `data` of a submitted modal. `filled` has values by custom_id or label; other fields keep their values.

    Raises `NotOfferedError` if a field does not exist, is required but empty, or does not accept its value.
    """
    unused_fields, resolved = dict(filled), Json()
    parts = [_part_json(state, channel, component, unused_fields, resolved) for component in components]
    if unused_fields:
        words = f"the modal has no field {', '.join(unused_fields)}"
        raise NotOfferedError(words)
    data: Json = {"custom_id": custom_id, "components": parts}
    return data | ({"resolved": resolved} if resolved else {})


def _part_json(
    state: ServerState, channel: Channel, component: Json, unused_fields: dict[str, object], resolved: Json
) -> Json:
    row: Json = {"type": component["type"], "id": component["id"]}
    match component["type"]:
        case ComponentKind.LABEL:
            field = as_object(component["component"])
            return row | {"component": _field_json(state, channel, field, component["label"], unused_fields, resolved)}
        case ComponentKind.ACTION_ROW:
            fields = as_objects(component["components"])
            return row | {
                "components": [
                    _field_json(state, channel, f, f.get("label") or "", unused_fields, resolved) for f in fields
                ]
            }
        case _:
            return row


def _field_json(
    state: ServerState, channel: Channel, field: Json, label: str, unused_fields: dict[str, object], resolved: Json
) -> Json:
    kind, custom_id = ComponentKind(field["type"]), str(field["custom_id"])
    row: Json = {"type": int(kind), "id": field["id"], "custom_id": custom_id}
    given = unused_fields.pop(custom_id, unused_fields.pop(label, None))
    required = field.get("required", True)
    match kind:
        case ComponentKind.TEXT_INPUT:
            text = str(field.get("value") or "" if given is None else given)
            minimum, maximum = field.get("min_length", 0), field.get("max_length", 4000)
            if (required and not text) or (text and not minimum <= len(text) <= maximum):
                _raise_invalid_value(label, given)
            return row | {"value": text}
        case ComponentKind.CHECKBOX:
            return row | {"value": bool(field.get("default") if given is None else given)}
        case ComponentKind.RADIO_GROUP:
            values = _field_options(field, given)
            if required and not values:
                _raise_invalid_value(label, given)
            return row | {"value": values[0] if values else None}
        case ComponentKind.STRING_SELECT | ComponentKind.CHECKBOX_GROUP:
            values = _field_options(field, given)
        case _ if kind in _ENTITY:
            wanted = _as_list(given)
            values = [resolve_entity(state, channel, _ENTITY[kind], value, resolved) for value in wanted]
        case _:
            values = []
    minimum = field.get("min_values")
    if required and len(values) < (1 if minimum is None else minimum):
        _raise_invalid_value(label, given)
    return row | {"values": values}


def _field_options(field: Json, given: object) -> list[str]:
    options = as_objects(field.get("options"))
    if given is None:
        return [option["value"] for option in options if option.get("default")]
    return _option_values([(option["label"], option["value"]) for option in options], _as_list(given))


def _as_list(given: object) -> list[object]:
    if given is None:
        return []
    return list(cast(Iterable[object], given)) if isinstance(given, list | tuple) else [given]


def _raise_invalid_value(label: str, given: object) -> None:
    words = f"{given!r} does not fit the field {label!r}"
    raise NotOfferedError(words)
