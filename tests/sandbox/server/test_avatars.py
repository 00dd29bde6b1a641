"""Avatars of the sandbox's users: their hashes in payloads, and their pictures."""

import aiohttp

from bot.sandbox import Sandbox
from bot.sandbox.server.avatars import SIZE, avatar_png
from bot.sandbox.server.images import png_size
from bot.sandbox.world.world import World
from tests.sandbox.bots import TestBot


def test_hashes_have_different_pictures() -> None:
    """Each hash has a picture of its own, always the same."""
    pictures = [avatar_png(f"{number:032x}") for number in range(4)]
    assert len({*pictures}) == 4
    assert pictures == [avatar_png(f"{number:032x}") for number in range(4)]
    assert {png_size(picture) for picture in pictures} == {(SIZE, SIZE)}


async def test_avatars_are_served(sandbox: Sandbox, client: TestBot) -> None:
    """A client learns a user's avatar, and its file can be fetched; other files do not exist."""
    user = sandbox.person("North").user
    user.avatar = "0" * 31 + "1"
    fetched = await client.fetch_user(user.id)
    assert fetched.avatar is not None
    assert fetched.avatar.key == user.avatar
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{sandbox.origin}/avatars/{user.id}/{user.avatar}.png?size=256") as answer:
            assert (answer.status, await answer.read()) == (200, avatar_png(user.avatar))
        for path in (f"{user.id}/{'2' * 32}", f"1/{user.avatar}", f"x/{user.avatar}"):
            async with session.get(f"{sandbox.origin}/avatars/{path}.png") as answer:
                assert answer.status == 404


def test_the_default_world_has_avatars_on_request() -> None:
    """The people of the default world have different avatars, or none."""
    assert len({user.avatar for user in World.default(avatars=True).users.values() if not user.bot}) == 4
    assert {user.avatar for user in World.default().users.values()} == {None}
