"""Limits that Discord's OpenAPI description omits, for messages, modals and autocomplete choices.

Every check raises `RefusalError` 50035 with Discord's nested explanation, or 50006 for an empty message. Sources:
Discord's component reference, "Message Resource" and "Receiving and Responding".
"""

from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.world import components as tree
from bot.sandbox.world.components import LINK_STYLE, SELECTS, ComponentKind, Path
from bot.sandbox.world.json_values import Json, as_object, as_objects
from bot.sandbox.world.messages import MessageFlag

MAX_CONTENT_LENGTH = 2000
MAX_COMPONENTS = 40
MAX_TEXT_LENGTH = 4000
MAX_EMBED_LENGTH = 6000
MAX_ALT_LENGTH = 1024
LEGACY_FIELDS = ("content", "embeds", "poll", "sticker_ids")

_TOP_LEVEL_V2 = {
    ComponentKind.ACTION_ROW,
    ComponentKind.SECTION,
    ComponentKind.TEXT_DISPLAY,
    ComponentKind.MEDIA_GALLERY,
    ComponentKind.FILE,
    ComponentKind.SEPARATOR,
    ComponentKind.CONTAINER,
}
_CHILDREN = {
    ComponentKind.ACTION_ROW: {ComponentKind.BUTTON, *SELECTS},
    ComponentKind.SECTION: {ComponentKind.TEXT_DISPLAY},
    ComponentKind.CONTAINER: _TOP_LEVEL_V2 - {ComponentKind.CONTAINER},
}


def check_message(message: Json, flags: MessageFlag, *, has_files: bool) -> None:
    """Check a new or edited message: its size, its components, and that it is not empty."""
    errors = FormErrors()
    if MessageFlag.COMPONENTS_V2 in flags:
        for name in LEGACY_FIELDS:
            if message.get(name):
                words = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                errors.add((name,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", words)
        check_components(errors, message.get("components"), v2=True)
        errors.raise_if_any()
        if not message.get("components"):
            raise RefusalError(50006)
        return
    if len(message.get("content") or "") > MAX_CONTENT_LENGTH:
        errors.add(("content",), "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_CONTENT_LENGTH} or fewer in length.")
    _check_embeds(errors, as_objects(message.get("embeds")))
    check_components(errors, message.get("components"), v2=False)
    errors.raise_if_any()
    content_fields = ("content", "embeds", "components", "sticker_ids", "poll")
    if not has_files and not any(message.get(name) for name in content_fields):
        raise RefusalError(50006)


def check_components(errors: FormErrors, components: object, *, v2: bool) -> None:
    """Add every error in a message's component tree to `errors`."""
    found = list(tree.walk(components))
    top = as_objects(components)
    if v2 and len(found) > MAX_COMPONENTS:
        words = f"The total number of components ({len(found)}) exceeds the maximum of {MAX_COMPONENTS}"
        errors.add(("components",), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", words)
    if not v2 and len(top) > 5:
        errors.add(("components",), "BASE_TYPE_MAX_LENGTH", "Must be 5 or fewer in length.")
    for index, component in enumerate(top):
        _check_kind(errors, ("components", index), component, _TOP_LEVEL_V2 if v2 else {ComponentKind.ACTION_ROW})
    seen: set[str] = set()
    for path, component in found:
        _check_component(errors, path, component)
        custom_id = component.get("custom_id")
        if isinstance(custom_id, str):
            if custom_id in seen:
                words = "Component custom id cannot be duplicated"
                errors.add((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", words)
            seen.add(custom_id)
    if sum(len(text) for text in tree.texts(components)) > MAX_TEXT_LENGTH:
        words = f"The total size of all displayable text in components exceeds the maximum size of {MAX_TEXT_LENGTH}"
        errors.add(("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", words)
    for path, _, owner in tree.media(components):
        if owner.get("description") is not None:
            errors.check_length((*path[:-1], "description"), owner["description"], 1, MAX_ALT_LENGTH)


def _check_kind(errors: FormErrors, path: Path, component: Json, allowed: set[ComponentKind] | set[int]) -> None:
    if component.get("type") not in allowed:
        names = ", ".join(str(int(kind)) for kind in sorted(allowed))
        words = f'Value of field "type" must be one of ({names}).'
        errors.add((*path, "type"), "UNION_TYPE_CHOICES", words)


def _check_component(errors: FormErrors, path: Path, component: Json) -> None:
    children = as_objects(component.get("components"))
    kind = component.get("type")
    if kind in _CHILDREN:
        for index, child in enumerate(children):
            _check_kind(errors, (*path, "components", index), child, _CHILDREN[ComponentKind(kind)])
    match kind:
        case ComponentKind.ACTION_ROW:
            _check_row(errors, path, children)
        case ComponentKind.BUTTON:
            _check_button(errors, path, component)
        case ComponentKind.SECTION:
            errors.check_count((*path, "components"), len(children), 1, 3)
            accessory = as_object(component.get("accessory"))
            _check_kind(errors, (*path, "accessory"), accessory, {ComponentKind.BUTTON, ComponentKind.THUMBNAIL})
        case ComponentKind.TEXT_DISPLAY:
            errors.check_length((*path, "content"), component.get("content"), 1, MAX_TEXT_LENGTH)
        case ComponentKind.MEDIA_GALLERY:
            errors.check_count((*path, "items"), len(as_objects(component.get("items"))), 1, 10)
        case ComponentKind.CONTAINER:
            errors.check_count((*path, "components"), len(children), 1, MAX_COMPONENTS)
        case _ if kind in SELECTS:
            _check_select(errors, path, component)
        case _:
            pass


def _check_row(errors: FormErrors, path: Path, children: list[Json]) -> None:
    width = sum(5 if child.get("type") in SELECTS else 1 for child in children)
    if not children:
        errors.add((*path, "components"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    if width > 5:
        errors.add((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "Layout component can hold width of 5")


def _check_button(errors: FormErrors, path: Path, button: Json) -> None:
    if button.get("style") == LINK_STYLE:
        errors.check_length((*path, "url"), button.get("url"), 1, 512)
        if "custom_id" in button:
            words = "A custom id and url cannot both be specified"
            errors.add((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", words)
    else:
        errors.check_length((*path, "custom_id"), button.get("custom_id"), 1, 100)
    if button.get("label") is not None:
        errors.check_length((*path, "label"), button["label"], 0, 80)
    if not button.get("label") and not button.get("emoji"):
        errors.add(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji")


def _check_select(errors: FormErrors, path: Path, select: Json) -> None:
    errors.check_length((*path, "custom_id"), select.get("custom_id"), 1, 100)
    if select.get("placeholder") is not None:
        errors.check_length((*path, "placeholder"), select["placeholder"], 0, 150)
    minimum, maximum = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= minimum <= maximum <= 25 or maximum < 1:
        words = "max_values must be from 1 to 25, and min_values from 0 to max_values"
        errors.add((*path, "max_values"), "BASE_TYPE_BAD_LENGTH", words)
    if select.get("type") != ComponentKind.STRING_SELECT:
        return
    options = as_objects(select.get("options"))
    errors.check_count((*path, "options"), len(options), 1, 25)
    if maximum > max(1, len(options)):
        errors.add((*path, "max_values"), "NUMBER_TYPE_MAX", "More values than there are options")
    _check_options(errors, (*path, "options"), options)


def _check_options(errors: FormErrors, path: Path, options: list[Json]) -> None:
    values: set[str] = set()
    for index, option in enumerate(options):
        errors.check_length((*path, index, "label"), option.get("label"), 1, 100)
        errors.check_length((*path, index, "value"), option.get("value"), 1, 100)
        if option.get("description") is not None:
            errors.check_length((*path, index, "description"), option["description"], 0, 100)
        if option.get("value") in values:
            words = "The specified option value is already used"
            errors.add((*path, index, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", words)
        values.add(option.get("value") or "")


def _check_embeds(errors: FormErrors, embeds: list[Json]) -> None:
    errors.check_count(("embeds",), len(embeds), 0, 10)
    total = 0
    for index, embed in enumerate(embeds):
        fields = as_objects(embed.get("fields"))
        errors.check_count(("embeds", index, "fields"), len(fields), 0, 25)
        limits = [("title", embed.get("title"), 256), ("description", embed.get("description"), 4096)]
        for number, row in enumerate(fields):
            limits += [
                (f"fields.{number}.name", row.get("name"), 256),
                (f"fields.{number}.value", row.get("value"), 1024),
            ]
        limits.append(("footer.text", as_object(embed.get("footer")).get("text"), 2048))
        limits.append(("author.name", as_object(embed.get("author")).get("name"), 256))
        for name, value, maximum in limits:
            if isinstance(value, str):
                errors.check_length(("embeds", index, *name.split(".")), value, 0, maximum)
                total += len(value)
    if total > MAX_EMBED_LENGTH:
        errors.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MAX_EMBED_LENGTH}")


def check_modal(modal: Json) -> None:
    """Check the title and the components of a modal."""
    errors = FormErrors()
    parts = as_objects(modal.get("components"))
    errors.check_length(("data", "custom_id"), modal.get("custom_id"), 1, 100)
    errors.check_length(("data", "title"), modal.get("title"), 1, 45)
    errors.check_count(("data", "components"), len(parts), 1, 5)
    seen: set[str] = set()
    for path, component in tree.walk(parts, ("data", "components")):
        if component.get("type") == ComponentKind.LABEL:
            errors.check_length((*path, "label"), component.get("label"), 1, 45)
            if component.get("description") is not None:
                errors.check_length((*path, "description"), component["description"], 0, 100)
            continue
        if component.get("disabled"):
            errors.add((*path, "disabled"), "MODAL_COMPONENT_DISABLED", "A modal cannot have disabled components")
        custom_id = component.get("custom_id")
        if custom_id is None and component.get("type") in (ComponentKind.ACTION_ROW, ComponentKind.TEXT_DISPLAY):
            continue
        errors.check_length((*path, "custom_id"), custom_id, 1, 100)
        if custom_id in seen:
            words = "Component custom id cannot be duplicated"
            errors.add((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", words)
        seen.add(custom_id or "")
    errors.raise_if_any()


def check_choices(choices: list[Json]) -> None:
    """Check the number of autocomplete choices, and the lengths of their names and values."""
    errors = FormErrors()
    errors.check_count(("data", "choices"), len(choices), 0, 25)
    for index, choice in enumerate(choices):
        errors.check_length(("data", "choices", index, "name"), choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            errors.check_length(("data", "choices", index, "value"), choice["value"], 1, 100)
    errors.raise_if_any()
