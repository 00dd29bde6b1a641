"""Identifiers. Each kind has its own type, so that type checkers catch mix-ups."""

from __future__ import annotations

from typing import NewType

PersonId = NewType("PersonId", int)
"""A Discord user."""

GuildId = NewType("GuildId", int)
"""A Discord server."""

ChannelId = NewType("ChannelId", int)
"""A Discord channel, thread or direct message channel."""

MessageId = NewType("MessageId", int)
"""A Discord message."""

InteractionId = NewType("InteractionId", int)
"""A Discord interaction: a command, a button press or a menu choice."""

MatchId = NewType("MatchId", int)
ChallengeId = NewType("ChallengeId", int)
ChainId = NewType("ChainId", int)
"""A chain of server seeds; see `bot.engine.fair`."""

OutboxId = NewType("OutboxId", int)
"""A message that the bot keeps up to date; see `bot.play.outbox`."""
