"""Permissions of roles and overwrites."""

from bot.sandbox import MEMBER_DEFAULTS, Permission, World, member_overwrite


def test_permissions() -> None:
    """Permissions come from roles, overwrites and ownership, separately for each server."""
    world = World()
    ann, bob = world.add_user("Ann"), world.add_user("Bob")
    first = world.add_guild("First", [ann, bob], everyone=Permission.VIEW_CHANNEL)
    second = world.add_guild("Second", [bob], bot_permissions=None)
    room = world.add_channel(first, "room", overwrites=[member_overwrite(bob, deny=Permission.VIEW_CHANNEL)])
    hall = world.add_channel(second, "hall")
    assert Permission.ADMINISTRATOR in world.permissions(ann, room)
    assert not world.permissions(bob, room)
    assert not world.permissions(ann, hall)
    assert world.permissions(world.bot, room) == MEMBER_DEFAULTS
    assert not world.can_see(world.bot, hall)
    thread = world.add_thread(room, "thread", ann)
    assert not world.can_see(bob, thread)
