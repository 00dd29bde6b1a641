"""Answers to interactions: the first one by callback, then the original and follow-ups by webhook token."""

from bot.sandbox.components import number_components
from bot.sandbox.core import Core
from bot.sandbox.errors import Problems, RefusalError
from bot.sandbox.interaction import Interaction, InteractionKind, Modal, Response, ResponseKind
from bot.sandbox.limits import check_choices, check_modal
from bot.sandbox.message import Message, MessageFlag
from bot.sandbox.payloads import message_json, user_json
from bot.sandbox.posting import PARSE_USERS, edit, flags_of, post, remove
from bot.sandbox.rest.call import NO_CONTENT, Call, Reply
from bot.sandbox.wire import Json, mapping, number, rows

# The system messages of Discord's reference, "Message Types".
DEFAULT, REPLY_TO_COMMAND = 0, 20

_ON_COMPONENTS = {ResponseKind.DEFERRED_UPDATE, ResponseKind.UPDATE}
_ALLOWED: dict[InteractionKind, set[ResponseKind]] = {
    InteractionKind.COMMAND: {ResponseKind.MESSAGE, ResponseKind.DEFERRED_MESSAGE, ResponseKind.MODAL},
    InteractionKind.COMPONENT: set(ResponseKind) - {ResponseKind.CHOICES},
    InteractionKind.AUTOCOMPLETE: {ResponseKind.CHOICES},
    InteractionKind.MODAL_SUBMIT: {ResponseKind.MESSAGE, ResponseKind.DEFERRED_MESSAGE},
}


def callback(core: Core, call: Call) -> Reply:
    """Answer an interaction first; raise 10062 when it is unknown or too late, 40060 when it has been answered."""
    interaction = core.interactions.awaiting(number(call.params["interaction_id"]), call.params["token"])
    data = mapping(call.body.get("data"))
    kind = _kind(interaction, number(call.body.get("type")))
    response = Response(kind)
    match kind:
        case ResponseKind.MESSAGE:
            interaction.original = _respond(core, interaction, call, data, flags_of(data))
        case ResponseKind.DEFERRED_MESSAGE:
            flags = flags_of(data) & MessageFlag.EPHEMERAL | MessageFlag.LOADING
            interaction.original = _respond(core, interaction, call, {}, flags)
        case ResponseKind.DEFERRED_UPDATE:
            interaction.original = interaction.source
        case ResponseKind.UPDATE:
            interaction.original = _source(interaction)
            edit(core, interaction.original, data, call.files, default_mentions=PARSE_USERS)
        case ResponseKind.CHOICES:
            check_choices(rows(data.get("choices")))
            response = Response(kind, choices=rows(data.get("choices")))
        case ResponseKind.MODAL:
            check_modal(data)
            number_components(data["components"])
            response = Response(kind, modal=Modal(data["custom_id"], data["title"], data["components"], interaction))
    core.interactions.respond(interaction, response)
    for observer in core.interactions.observers:
        observer(interaction)
    core.changes.notify()
    if call.query.get("with_response") not in ("1", "true"):
        return NO_CONTENT
    return Reply(200, _callback_json(core, interaction, response))


def _kind(interaction: Interaction, value: int | None) -> ResponseKind:
    allowed = set(_ALLOWED[interaction.kind])
    if interaction.kind is InteractionKind.MODAL_SUBMIT and interaction.source is not None:
        allowed |= _ON_COMPONENTS
    if value not in allowed:
        problems = Problems()
        names = ", ".join(str(int(kind)) for kind in sorted(allowed))
        problems.add(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {{{names}}}.")
        problems.check()
    return ResponseKind(value)


def _source(interaction: Interaction) -> Message:
    if interaction.source is None or interaction.source.deleted:
        raise RefusalError(10008)
    return interaction.source


def _respond(
    core: Core, interaction: Interaction, call: Call, data: Json, flags: MessageFlag, *, first: bool = True
) -> Message:
    if interaction.channel.id not in core.world.channels:
        raise RefusalError(10003)
    return post(
        core,
        interaction.channel,
        core.world.bot,
        data,
        call.files,
        kind=REPLY_TO_COMMAND if first and interaction.kind is InteractionKind.COMMAND else DEFAULT,
        flags=flags,
        only_for=interaction.user.id if MessageFlag.EPHEMERAL in flags else None,
        interaction=_metadata(interaction),
        default_mentions=PARSE_USERS,
    )


def _metadata(interaction: Interaction) -> Json:
    guild = interaction.channel.guild
    return {
        "id": str(interaction.id),
        "type": int(interaction.kind),
        "user": user_json(interaction.user),
        "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
    }


def _callback_json(core: Core, interaction: Interaction, response: Response) -> Json:
    row: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    answer: Json = {"interaction": row}
    message = interaction.original
    if message is not None:
        row |= {
            "response_message_id": str(message.id),
            "response_message_ephemeral": message.ephemeral,
            "response_message_loading": message.loading,
        }
        if response.kind is not ResponseKind.DEFERRED_UPDATE:
            answer["resource"] = {"type": int(response.kind), "message": message_json(core.world, message)}
    return answer


def _interaction(core: Core, call: Call) -> Interaction:
    if call.id("application_id") != core.world.bot.id:
        raise RefusalError(10015)
    return core.interactions.alive(call.params["token"])


def _message(core: Core, call: Call) -> tuple[Interaction, Message]:
    interaction = _interaction(core, call)
    if "message_id" not in call.params:
        message = interaction.original
    else:
        wanted = call.id("message_id")
        message = next((m for m in interaction.messages if m.id == wanted), None)
    if message is None or message.deleted or message.dismissed:
        raise RefusalError(10008)
    return interaction, message


def get_response(core: Core, call: Call) -> Json:
    """Show the original response or a follow-up."""
    return message_json(core.world, _message(core, call)[1])


def edit_response(core: Core, call: Call) -> Json:
    """Edit the original response or a follow-up, ephemeral or not."""
    _, message = _message(core, call)
    if message.channel.thread is not None and message.channel.thread.archived:
        raise RefusalError(50083)
    edit(core, message, call.body, call.files, default_mentions=PARSE_USERS)
    return message_json(core.world, message)


def delete_response(core: Core, call: Call) -> Reply:
    """Delete the original response or a follow-up."""
    _, message = _message(core, call)
    remove(core, message)
    return NO_CONTENT


def follow_up(core: Core, call: Call) -> Json:
    """Send another message; right after a deferred one it fills that one instead.

    Source: Discord's reference, "Create Followup Message".
    """
    interaction = _interaction(core, call)
    if interaction.original is not None and interaction.original.loading and not interaction.original.deleted:
        edit(core, interaction.original, call.body, call.files, default_mentions=PARSE_USERS)
        return message_json(core.world, interaction.original)
    message = _respond(core, interaction, call, call.body, flags_of(call.body), first=False)
    interaction.followups.append(message)
    core.changes.notify()
    return message_json(core.world, message)
