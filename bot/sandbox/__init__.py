"""A local Discord on 127.0.0.1: HTTP API v10, gateway, simulated people, and a page for the browser.

This package exports everything that tests need, except the pytest fixture in `bot.sandbox.testing`.
`bot/sandbox/README.md` explains it with an example.
"""

from bot.sandbox.people.errors import NotOfferedError
from bot.sandbox.people.person import Person
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.server.faults import (
    Delay,
    Drop,
    Duplicate,
    Expire,
    Hangup,
    RateLimited,
    Refuse,
    RequestFault,
    Reset,
    Reupload,
    ServerError,
)
from bot.sandbox.server.gateway import Frame, Op
from bot.sandbox.server.interactions import Interaction, InteractionKind, InteractionRegistry, Modal, ResponseKind
from bot.sandbox.server.journal import Request
from bot.sandbox.server.keeping import KeepingError
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.components import Button, Option, Select
from bot.sandbox.world.emojis import Emoji
from bot.sandbox.world.messages import Image, Message
from bot.sandbox.world.permissions import MEMBER_DEFAULTS, Permission
from bot.sandbox.world.world import Channel, Guild, Member, User, World, member_overwrite, role_overwrite

__all__ = [
    "MEMBER_DEFAULTS",
    "Button",
    "Channel",
    "Clock",
    "Delay",
    "Drop",
    "Duplicate",
    "Emoji",
    "Expire",
    "Frame",
    "Guild",
    "Hangup",
    "Image",
    "Interaction",
    "InteractionKind",
    "InteractionRegistry",
    "KeepingError",
    "Member",
    "Message",
    "Modal",
    "NotOfferedError",
    "Op",
    "Option",
    "Permission",
    "Person",
    "RateLimited",
    "Refuse",
    "Request",
    "RequestFault",
    "Reset",
    "ResponseKind",
    "Reupload",
    "Sandbox",
    "Select",
    "ServerError",
    "User",
    "World",
    "member_overwrite",
    "role_overwrite",
]
