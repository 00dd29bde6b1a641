"""A local Discord on 127.0.0.1: HTTP API v10, gateway, people, and a page in the browser."""

from bot.sandbox.errors import NotOfferedError
from bot.sandbox.interaction import Interaction, InteractionKind, Modal, ResponseKind
from bot.sandbox.journal import Request
from bot.sandbox.message import Image, Message
from bot.sandbox.permissions import MEMBER_DEFAULTS, Permission
from bot.sandbox.person import Person
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.world import Channel, Guild, User, World, member_overwrite, role_overwrite

__all__ = [
    "MEMBER_DEFAULTS",
    "Channel",
    "Guild",
    "Image",
    "Interaction",
    "InteractionKind",
    "Message",
    "Modal",
    "NotOfferedError",
    "Permission",
    "Person",
    "Request",
    "ResponseKind",
    "Sandbox",
    "User",
    "World",
    "member_overwrite",
    "role_overwrite",
]
