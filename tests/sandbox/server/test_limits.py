"""The limits of messages, modals, autocomplete choices and commands."""

from typing import Any

import pytest

from bot.sandbox.server.command_limits import check_command, check_commands, size
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.message_limits import check_choices, check_message, check_modal
from bot.sandbox.world.messages import MessageFlag

Json = dict[str, Any]
V2 = MessageFlag.COMPONENTS_V2
PLAIN = MessageFlag(0)


DUPLICATE_OPTIONS = [{"label": "a", "value": "1"}, {"label": "b", "value": "1"}]


def text(content: str = "words") -> Json:
    """Create a text display."""
    return {"type": 10, "content": content}


def button(custom_id: str = "a", **fields: Any) -> Json:
    """Create a button."""
    return {"type": 2, "style": 1, "label": "Go", "custom_id": custom_id, **fields}


def row(*children: Json) -> Json:
    """Create an action row."""
    return {"type": 1, "components": list(children)}


def select(options: int = 1, **fields: Any) -> Json:
    """Create a string select menu."""
    lines = [{"label": str(n), "value": str(n)} for n in range(options)]
    return {"type": 3, "custom_id": "s", "options": lines, **fields}


def gallery(*alts: str) -> Json:
    """Create a media gallery."""
    return {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}, "description": alt} for alt in alts]}


def codes(errors: Json) -> set[str]:
    """Return all error codes in the nested `errors` object of an error response."""
    found = {error["code"] for error in errors.get("_errors", [])}
    for name, inner in errors.items():
        if name != "_errors":
            found |= codes(inner)
    return found


@pytest.mark.parametrize(
    ("components", "code"),
    [
        ([row(button("a"), button("a"))], "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ([row(button("a")), {"type": 17, "components": [row(button("a"))]}], "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ([text(str(n)) for n in range(41)], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
        ([{"type": 17, "components": [text() for _ in range(40)]}], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
        ([text("x" * 2001), text("x" * 2000)], "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
        ([text("")], "BASE_TYPE_BAD_LENGTH"),
        ([button()], "UNION_TYPE_CHOICES"),
        ([{"type": 17, "components": [{"type": 17, "components": [text()]}]}], "UNION_TYPE_CHOICES"),
        ([row(text())], "UNION_TYPE_CHOICES"),
        ([{"type": 9, "components": [text()], "accessory": text()}], "UNION_TYPE_CHOICES"),
        ([{"type": 9, "components": [text()] * 4, "accessory": button()}], "BASE_TYPE_BAD_LENGTH"),
        ([row()], "BASE_TYPE_BAD_LENGTH"),
        ([row(*(button(str(n)) for n in range(6)))], "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
        ([row(select(), button())], "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
        ([row(button("x" * 101))], "BASE_TYPE_BAD_LENGTH"),
        ([row({"type": 2, "style": 1, "label": "Go"})], "BASE_TYPE_REQUIRED"),
        ([row(button(label="x" * 81))], "BASE_TYPE_BAD_LENGTH"),
        ([row(button(label=""))], "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"),
        ([row({"type": 2, "style": 5, "label": "Go"})], "BASE_TYPE_REQUIRED"),
        ([row(button(style=5, url="https://example.org"))], "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"),
        ([row(select(26))], "BASE_TYPE_BAD_LENGTH"),
        ([row(select(0))], "BASE_TYPE_BAD_LENGTH"),
        ([row(select(2, max_values=3))], "NUMBER_TYPE_MAX"),
        ([row(select(placeholder="x" * 151))], "BASE_TYPE_BAD_LENGTH"),
        ([row(select(0) | {"options": DUPLICATE_OPTIONS})], "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
        ([row(select(0) | {"options": [{"label": "x" * 101, "value": "1"}]})], "BASE_TYPE_BAD_LENGTH"),
        ([gallery(*["alt"] * 11)], "BASE_TYPE_BAD_LENGTH"),
        ([gallery("x" * 1025)], "BASE_TYPE_BAD_LENGTH"),
    ],
)  # fmt: skip
def test_components_refused(components: list[Json], code: str) -> None:
    """An invalid component tree is refused with 50035 and the reason."""
    with pytest.raises(RefusalError) as caught:
        check_message({"components": components}, V2, has_files=False)
    assert caught.value.code == 50035
    assert code in codes(caught.value.errors or {})


def test_error_path() -> None:
    """The explanation of an error is nested by the path of the invalid field."""
    with pytest.raises(RefusalError) as caught:
        check_message({"components": [row(button("a"), button("a"))]}, V2, has_files=False)
    errors = caught.value.body["errors"]
    assert errors["components"]["0"]["components"]["1"]["custom_id"]["_errors"][0]["code"].endswith("DUPLICATED")


def test_largest_layout_passes() -> None:
    """Exactly 40 components with exactly 4,000 characters are accepted."""
    texts = [text("x" * 200), *(text("x" * 100) for _ in range(38))]
    check_message({"components": [{"type": 17, "components": texts}]}, V2, has_files=False)


@pytest.mark.parametrize("field", [{"content": "x"}, {"embeds": [{"title": "x"}]}, {"sticker_ids": ["1"]}])
def test_legacy_fields_with_v2(field: Json) -> None:
    """Components V2 cannot be combined with content, embeds or stickers."""
    with pytest.raises(RefusalError) as caught:
        check_message({"components": [text()], **field}, V2, has_files=False)
    assert "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2" in codes(caught.value.errors or {})


def test_v2_components_without_flag() -> None:
    """Components V2 are refused if the message does not have the flag for them."""
    with pytest.raises(RefusalError) as caught:
        check_message({"components": [text()]}, PLAIN, has_files=False)
    assert "UNION_TYPE_CHOICES" in codes(caught.value.errors or {})


def test_plain_messages() -> None:
    """A plain message must not be empty, and has at most 2,000 characters, five rows and ten embeds."""
    check_message({"content": "x" * 2000}, PLAIN, has_files=False)
    check_message({}, PLAIN, has_files=True)
    empty_messages: list[tuple[Json, MessageFlag]] = [({}, PLAIN), ({"content": ""}, PLAIN), ({"components": []}, V2)]
    for empty, flags in empty_messages:
        with pytest.raises(RefusalError) as caught:
            check_message(empty, flags, has_files=False)
        assert caught.value.code == 50006
    wrong: list[Json] = [
        {"content": "x" * 2001},
        {"content": "x", "components": [row(button(str(n))) for n in range(6)]},
        {"embeds": [{"title": "x"}] * 11},
        {"embeds": [{"description": "x" * 3001}] * 2},
        {"embeds": [{"fields": [{"name": "x", "value": "x" * 1025}]}]},
    ]
    for message in wrong:
        with pytest.raises(RefusalError) as caught:
            check_message(message, PLAIN, has_files=False)
        assert caught.value.code == 50035


def label(component: Json, words: str = "Name") -> Json:
    """Create a label for a modal."""
    return {"type": 18, "label": words, "component": component}


def test_modals() -> None:
    """A modal has one to five parts, unique ids, short titles and labels, and no disabled components."""
    field: Json = {"type": 4, "custom_id": "f", "style": 1}
    check_modal({"custom_id": "m", "title": "T", "components": [label(field), text()]})
    wrong: list[Json] = [
        {"custom_id": "m", "title": "T", "components": []},
        {"custom_id": "m", "title": "T", "components": [label({**field, "custom_id": str(n)}) for n in range(6)]},
        {"custom_id": "m", "title": "T", "components": [label(field), label(field)]},
        {"custom_id": "m", "title": "x" * 46, "components": [label(field)]},
        {"custom_id": "m", "title": "T", "components": [label(field, "x" * 46)]},
        {"custom_id": "m", "title": "T", "components": [label(select(disabled=True))]},
        {"title": "T", "components": [label(field)]},
    ]
    for modal in wrong:
        with pytest.raises(RefusalError):
            check_modal(modal)


def test_choices() -> None:
    """Autocomplete can return up to 25 choices, with names and values of up to 100 characters."""
    check_choices([{"name": "x" * 100, "value": n} for n in range(25)])
    for wrong in ([{"name": "x", "value": n} for n in range(26)], [{"name": "x" * 101, "value": "1"}]):
        with pytest.raises(RefusalError):
            check_choices(wrong)


def command(**fields: Any) -> Json:
    """Create a command."""
    return {"name": "go", "description": "Go", **fields}


@pytest.mark.parametrize(
    "wrong",
    [
        command(name="Go"),
        command(name="two words"),
        command(name="x" * 33),
        command(name=""),
        command(description=""),
        command(description="x" * 101),
        command(options=[command(name=f"o{n}", type=3) for n in range(26)]),
        command(options=[command(type=3), command(type=3)]),
        command(options=[command(name="a", type=3), command(name="b", type=3, required=True)]),
        command(options=[command(name="a", type=1), command(name="b", type=3)]),
        command(options=[command(type=2, options=[command(type=2, options=[command(type=1)])])]),
        command(options=[command(type=3, choices=[{"name": "x", "value": str(n)} for n in range(26)])]),
        command(options=[command(type=3, autocomplete=True, choices=[{"name": "x", "value": "x"}])]),
        command(options=[command(name=f"o{n}", type=3, description="x" * 99, choices=[
            {"name": "y" * 99, "value": "z" * 99} for _ in range(3)]) for n in range(15)]),
    ],
)  # fmt: skip
def test_commands_refused(wrong: Json) -> None:
    """Commands with invalid names, too many or too long parts, or wrongly ordered options are refused with 50035."""
    with pytest.raises(RefusalError) as caught:
        check_command(wrong)
    assert caught.value.code == 50035


def test_command_scope() -> None:
    """A scope holds at most a hundred slash commands, with different names."""
    check_commands([command(name=f"c{n}") for n in range(100)])
    for wrong in ([command(name=f"c{n}") for n in range(101)], [command(), command()]):
        with pytest.raises(RefusalError):
            check_commands(wrong)


def test_command_size() -> None:
    """The size of a command counts its names, descriptions and values, each in its longest translation."""
    option = command(name="ab", description="cde", type=3, choices=[{"name": "fg", "value": "hij"}])
    assert size(command(options=[option], name_localizations={"de": "gehen"})) == 5 + 2 + 2 + 3 + 2 + 3
