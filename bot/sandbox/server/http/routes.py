"""The handler of each route. Source: Discord's HTTP API v10."""

from bot.sandbox.server.http import applications, channels, emojis, guilds, messages, responses
from bot.sandbox.server.http.call import Handler

_COMMANDS = "/applications/{application_id}/commands"
_GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
_EMOJIS = "/applications/{application_id}/emojis"
_MESSAGES = "/channels/{channel_id}/messages"
_WEBHOOK = "/webhooks/{application_id}/{token}"

# Routes that are authorized by an interaction's token in the path and need no Authorization header.
BY_TOKEN: list[tuple[str, str, Handler]] = [
    ("POST", "/interactions/{interaction_id}/{token}/callback", responses.callback),
    ("POST", _WEBHOOK, responses.follow_up),
    ("GET", f"{_WEBHOOK}/messages/@original", responses.get_response),
    ("PATCH", f"{_WEBHOOK}/messages/@original", responses.edit_response),
    ("DELETE", f"{_WEBHOOK}/messages/@original", responses.delete_response),
    ("GET", f"{_WEBHOOK}/messages/{{message_id}}", responses.get_response),
    ("PATCH", f"{_WEBHOOK}/messages/{{message_id}}", responses.edit_response),
    ("DELETE", f"{_WEBHOOK}/messages/{{message_id}}", responses.delete_response),
]
BY_BOT: list[tuple[str, str, Handler]] = [
    ("GET", "/users/@me", applications.me),
    ("GET", "/oauth2/applications/@me", applications.application),
    ("GET", "/applications/@me", applications.application),
    ("GET", "/gateway", applications.gateway),
    ("GET", "/gateway/bot", applications.gateway_bot),
    *(
        (method, path, handler)
        for path in (_COMMANDS, _GUILD_COMMANDS)
        for method, handler in (
            ("GET", applications.list_commands),
            ("PUT", applications.put_commands),
            ("POST", applications.add_command),
        )
    ),
    *(
        (method, f"{path}/{{command_id}}", handler)
        for path in (_COMMANDS, _GUILD_COMMANDS)
        for method, handler in (
            ("GET", applications.get_command),
            ("PATCH", applications.edit_command),
            ("DELETE", applications.delete_command),
        )
    ),
    ("GET", _EMOJIS, emojis.list_emojis),
    ("POST", _EMOJIS, emojis.add_emoji),
    ("GET", f"{_EMOJIS}/{{emoji_id}}", emojis.get_emoji),
    ("PATCH", f"{_EMOJIS}/{{emoji_id}}", emojis.rename_emoji),
    ("DELETE", f"{_EMOJIS}/{{emoji_id}}", emojis.delete_emoji),
    ("GET", "/users/@me/guilds", guilds.list_my_guilds),
    ("POST", "/users/@me/channels", guilds.open_dm_channel),
    ("GET", "/users/{user_id}", guilds.get_user),
    ("GET", "/guilds/{guild_id}", guilds.get_guild),
    ("GET", "/guilds/{guild_id}/channels", guilds.list_channels),
    ("GET", "/guilds/{guild_id}/roles", guilds.list_roles),
    ("GET", "/guilds/{guild_id}/threads/active", guilds.list_active_threads),
    ("GET", "/guilds/{guild_id}/members/{user_id}", guilds.get_member),
    ("GET", "/channels/{channel_id}", channels.get_channel),
    ("PATCH", "/channels/{channel_id}", channels.edit_channel),
    ("DELETE", "/channels/{channel_id}", channels.delete_channel),
    ("POST", "/channels/{channel_id}/typing", channels.typing),
    ("POST", "/channels/{channel_id}/threads", channels.start_thread),
    *(
        (method, f"/channels/{{channel_id}}/thread-members/{user}", handler)
        for user in ("@me", "{user_id}")
        for method, handler in (
            ("GET", channels.get_thread_member),
            ("PUT", channels.add_thread_member),
            ("DELETE", channels.remove_thread_member),
        )
    ),
    ("GET", _MESSAGES, messages.list_messages),
    ("POST", _MESSAGES, messages.send),
    ("GET", f"{_MESSAGES}/{{message_id}}", messages.get_message),
    ("PATCH", f"{_MESSAGES}/{{message_id}}", messages.edit_message),
    ("DELETE", f"{_MESSAGES}/{{message_id}}", messages.delete_message),
    ("POST", f"{_MESSAGES}/{{message_id}}/threads", channels.start_thread),
]
