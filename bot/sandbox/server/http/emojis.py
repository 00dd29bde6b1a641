"""Routes for the application's emojis."""

from bot.sandbox.server.emojis import EmojiRegistry
from bot.sandbox.server.errors import RefusalError
from bot.sandbox.server.http.call import NO_CONTENT, Call, Reply
from bot.sandbox.server.payloads import emoji_json
from bot.sandbox.server.state import ServerState
from bot.sandbox.world.json_values import Json


def list_emojis(state: ServerState, call: Call) -> Json:
    emojis = _emojis(state, call).by_id.values()
    return {"items": [emoji_json(state.world, emoji) for emoji in emojis]}


def add_emoji(state: ServerState, call: Call) -> Reply:
    """Upload an emoji. Raises `RefusalError` 50035 if it is invalid, and 30008 if the limit is reached."""
    added = _emojis(state, call).add(call.body)
    state.changes.notify()
    return Reply(201, emoji_json(state.world, added))


def get_emoji(state: ServerState, call: Call) -> Json:
    """Return an emoji. Raises `RefusalError` 10014 if it is unknown."""
    return emoji_json(state.world, _emojis(state, call).get(call.id("emoji_id")))


def rename_emoji(state: ServerState, call: Call) -> Json:
    """Rename an emoji. Raises `RefusalError` 10014 if it is unknown, and 50035 for an invalid name."""
    renamed = _emojis(state, call).rename(call.id("emoji_id"), call.body)
    state.changes.notify()
    return emoji_json(state.world, renamed)


def delete_emoji(state: ServerState, call: Call) -> Reply:
    """Delete an emoji. Raises `RefusalError` 10014 if it is unknown."""
    _emojis(state, call).remove(call.id("emoji_id"))
    state.changes.notify()
    return NO_CONTENT


def _emojis(state: ServerState, call: Call) -> EmojiRegistry:
    """Return the application's emojis. Raises `RefusalError` 50001 if the path names another application."""
    if call.id("application_id") != state.world.bot.id:
        raise RefusalError(50001)
    return state.emojis
