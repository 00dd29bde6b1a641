"""Discord's permission bits, and the rule that applies channel overwrites to them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag


class Permission(IntFlag):
    """The permission bits that the sandbox supports. Source: Discord's API reference, "Permissions"."""

    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51


NO_PERMISSIONS = Permission(0)
ALL_PERMISSIONS = Permission((1 << 52) - 1)
MEMBER_DEFAULTS = (
    Permission.CREATE_INSTANT_INVITE
    | Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.CONNECT
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
# The permissions that a timed-out member keeps: Discord's API reference, "Permissions for Timed Out Members".
TIMED_OUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
# The value of `app_permissions` in every DM channel: Discord's API reference, "Interaction Object".
DM_PERMISSIONS = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
)


class OverwriteKind(IntEnum):
    """The type of an overwrite's target. Source: Discord's API reference, "Overwrite Object"."""

    ROLE = 0
    MEMBER = 1


@dataclass(frozen=True, slots=True)
class Overwrite:
    """A channel's permission changes for one role or member."""

    id: int
    kind: OverwriteKind
    allow: Permission = NO_PERMISSIONS
    deny: Permission = NO_PERMISSIONS


def apply_overwrites(
    base: Permission, overwrites: Iterable[Overwrite], *, everyone: int, roles: Iterable[int], user: int
) -> Permission:
    """Apply a channel's overwrites in Discord's order: @everyone, then all roles together, then the member.

    `base` is the union of the permissions of the member's roles. Source: Discord's API reference, "Permission
    Overwrites".
    """
    if Permission.ADMINISTRATOR in base:
        return ALL_PERMISSIONS
    by_id = {(overwrite.kind, overwrite.id): overwrite for overwrite in overwrites}
    allowed = base
    if (everyone_overwrite := by_id.get((OverwriteKind.ROLE, everyone))) is not None:
        allowed = allowed & ~everyone_overwrite.deny | everyone_overwrite.allow
    role_overwrites = [
        by_id[key] for role in roles if (key := (OverwriteKind.ROLE, role)) in by_id and role != everyone
    ]
    for overwrite in role_overwrites:
        allowed &= ~overwrite.deny
    for overwrite in role_overwrites:
        allowed |= overwrite.allow
    if (user_overwrite := by_id.get((OverwriteKind.MEMBER, user))) is not None:
        allowed = allowed & ~user_overwrite.deny | user_overwrite.allow
    return allowed if Permission.VIEW_CHANNEL in allowed else NO_PERMISSIONS
