"""Routes for responses to interactions: the first response (callback), its later edits, and follow-ups."""

from bot.sandbox.server.errors import FormErrors, RefusalError
from bot.sandbox.server.http.call import NO_CONTENT, Call, Reply
from bot.sandbox.server.interactions import Interaction, InteractionKind, Modal, Response, ResponseKind
from bot.sandbox.server.message_actions import PARSE_USERS, delete, edit, post, requested_flags
from bot.sandbox.server.message_limits import check_choices, check_modal
from bot.sandbox.server.payloads import message_json, user_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.components import assign_component_ids
from bot.sandbox.world.json_values import Json, as_int, as_object, as_objects
from bot.sandbox.world.messages import Message, MessageFlag

# Source: Discord's API reference, "Message Types".
DEFAULT, REPLY_TO_COMMAND = 0, 20

_MESSAGE_UPDATES = {ResponseKind.DEFERRED_UPDATE, ResponseKind.UPDATE}
_ALLOWED_RESPONSES: dict[InteractionKind, set[ResponseKind]] = {
    InteractionKind.COMMAND: {ResponseKind.MESSAGE, ResponseKind.DEFERRED_MESSAGE, ResponseKind.MODAL},
    InteractionKind.COMPONENT: set(ResponseKind) - {ResponseKind.CHOICES},
    InteractionKind.AUTOCOMPLETE: {ResponseKind.CHOICES},
    InteractionKind.MODAL_SUBMIT: {ResponseKind.MESSAGE, ResponseKind.DEFERRED_MESSAGE},
}


def callback(state: ServerState, call: Call) -> Reply:
    """Accept the first response.

    Raises `RefusalError` 10062 if the interaction is unknown or expired, and 40060 if it was already answered.
    """
    interaction = state.interactions.find_pending(as_int(call.params["interaction_id"]), call.params["token"])
    data = as_object(call.body.get("data"))
    kind = _response_kind(interaction, as_int(call.body.get("type")))
    response = Response(kind)
    match kind:
        case ResponseKind.MESSAGE:
            interaction.original = _post_response(state, interaction, call, data, requested_flags(data))
        case ResponseKind.DEFERRED_MESSAGE:
            flags = requested_flags(data) & MessageFlag.EPHEMERAL | MessageFlag.LOADING
            interaction.original = _post_response(state, interaction, call, {}, flags)
        case ResponseKind.DEFERRED_UPDATE:
            interaction.original = interaction.source
        case ResponseKind.UPDATE:
            interaction.original = _source_message(interaction)
            edit(state, interaction.original, data, call.files, default_mentions=PARSE_USERS)
        case ResponseKind.CHOICES:
            check_choices(as_objects(data.get("choices")))
            response = Response(kind, choices=as_objects(data.get("choices")))
        case ResponseKind.MODAL:
            check_modal(data)
            state.emojis.resolve(data["components"])
            assign_component_ids(data["components"])
            response = Response(kind, modal=Modal(data["custom_id"], data["title"], data["components"], interaction))
    state.interactions.respond(interaction, response)
    if not call.flag("with_response"):
        return NO_CONTENT
    return Reply(200, _callback_json(state, interaction, response))


def _response_kind(interaction: Interaction, value: int | None) -> ResponseKind:
    allowed = set(_ALLOWED_RESPONSES[interaction.kind])
    if interaction.kind is InteractionKind.MODAL_SUBMIT and interaction.source is not None:
        allowed |= _MESSAGE_UPDATES
    if value not in allowed:
        errors = FormErrors()
        names = ", ".join(str(int(kind)) for kind in sorted(allowed))
        errors.add(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {{{names}}}.")
        errors.raise_if_any()
    return ResponseKind(value)


def _source_message(interaction: Interaction) -> Message:
    if interaction.source is None or interaction.source.deleted:
        raise RefusalError(10008)
    return interaction.source


def _post_response(
    state: ServerState, interaction: Interaction, call: Call, data: Json, flags: MessageFlag, *, first: bool = True
) -> Message:
    if interaction.channel.id not in state.world.channels:
        raise RefusalError(10003)
    return post(
        state,
        interaction.channel,
        state.world.bot,
        data,
        call.files,
        kind=REPLY_TO_COMMAND if first and interaction.kind is InteractionKind.COMMAND else DEFAULT,
        flags=flags,
        only_for=interaction.user.id if MessageFlag.EPHEMERAL in flags else None,
        interaction=_interaction_metadata(interaction),
        command=interaction.command,
        default_mentions=PARSE_USERS,
    )


def _interaction_metadata(interaction: Interaction) -> Json:
    guild = interaction.channel.guild
    return {
        "id": str(interaction.id),
        "type": int(interaction.kind),
        "user": user_json(interaction.user),
        "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
    }


def _callback_json(state: ServerState, interaction: Interaction, response: Response) -> Json:
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
            answer["resource"] = {"type": int(response.kind), "message": message_json(state.world, message)}
    return answer


def _find_interaction(state: ServerState, call: Call) -> Interaction:
    if call.id("application_id") != state.world.bot.id:
        raise RefusalError(10015)
    return state.interactions.find_by_token(call.params["token"])


def _find_message(state: ServerState, call: Call) -> tuple[Interaction, Message]:
    interaction = _find_interaction(state, call)
    if "message_id" not in call.params:
        message = interaction.original
    else:
        wanted = call.id("message_id")
        message = next((m for m in interaction.messages if m.id == wanted), None)
    if message is None or message.deleted or message.dismissed:
        raise RefusalError(10008)
    return interaction, message


def get_response(state: ServerState, call: Call) -> Json:
    """Return the original response or a follow-up."""
    return message_json(state.world, _find_message(state, call)[1])


def edit_response(state: ServerState, call: Call) -> Json:
    """Edit the original response or a follow-up, even if it is ephemeral.

    Raises `RefusalError` 50083 in an archived thread.
    """
    _, message = _find_message(state, call)
    if message.channel.thread is not None and message.channel.thread.archived:
        raise RefusalError(50083)
    edit(state, message, call.body, call.files, default_mentions=PARSE_USERS)
    return message_json(state.world, message)


def delete_response(state: ServerState, call: Call) -> Reply:
    """Delete the original response or a follow-up."""
    _, message = _find_message(state, call)
    delete(state, message)
    return NO_CONTENT


def follow_up(state: ServerState, call: Call) -> Json:
    """Send another message. If the response is still a deferred message, fill that message instead.

    Source: Discord's API reference, "Create Followup Message".
    """
    interaction = _find_interaction(state, call)
    if interaction.original is not None and interaction.thinking:
        edit(state, interaction.original, call.body, call.files, default_mentions=PARSE_USERS)
        return message_json(state.world, interaction.original)
    message = _post_response(state, interaction, call, call.body, requested_flags(call.body), first=False)
    interaction.followups.append(message)
    state.changes.notify()
    return message_json(state.world, message)
