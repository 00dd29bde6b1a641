"""Identifiers. Each kind has its own type, so that type checkers catch mix-ups."""

from __future__ import annotations

from typing import NewType

PersonId = NewType("PersonId", int)
"""The id of a Discord user."""

GuildId = NewType("GuildId", int)
"""The id of a Discord server."""

ChannelId = NewType("ChannelId", int)
"""The id of a Discord channel, thread or direct message channel."""

MessageId = NewType("MessageId", int)
"""The id of a Discord message."""

InteractionId = NewType("InteractionId", int)
"""The id of a Discord interaction: a command, a button press or a menu choice."""

MatchId = NewType("MatchId", int)
ChallengeId = NewType("ChallengeId", int)
ChainId = NewType("ChainId", int)
"""The id of a hash chain of server seeds; see `bot.engine.fairness.fair`."""

OutboxId = NewType("OutboxId", int)
"""The id of a message that the bot keeps up to date; see `bot.play.outbox`."""
