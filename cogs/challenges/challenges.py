"""Challenges: making, drafting, accepting, declining and withdrawing them, and rematches."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.clocks import Clock, UnknownClockError
from bot.model.ids import ChallengeId, PersonId
from bot.model.matches import MatchInfo, MatchStatus, OwnHand, Proposal
from bot.model.names import search_key
from bot.model.outbox import MessageKind
from bot.play.refusals import AlreadyOffered, ChallengeClosed, NoMatch, NotSeated, Refusal
from cogs.actions import Action, Subject
from cogs.challenges.challenge_panel import NO_DMS, about_dms, computers_button, more, standing_offers
from cogs.challenges.offers import make_offer
from cogs.challenges.play_panel import levels
from cogs.challenges.refusals import NO_MATCH_BEFORE, NO_MATCH_HERE, NO_OFFER
from cogs.delivery.access import Need
from cogs.delivery.choosing import challenge_event, challenges_for, event_of
from cogs.delivery.errors import UserError, after_saving
from cogs.delivery.feature import deliberate, handles
from cogs.delivery.interactions import (
    interaction_id_of,
    parent_id_of,
    person_id_of,
    person_of,
    require_guild,
    require_place,
)
from cogs.delivery.places import (
    begin_at_home,
    begin_in_channel_or_thread,
    require_can_accept,
    require_room,
    require_table_permissions,
)
from cogs.delivery.refusals import refused_in
from cogs.delivery.replies import is_private, show, show_dialog
from cogs.fairness.own_words import WORDS_DESCRIPTION, OwnWords
from cogs.fairness.verification_panel import words_button, words_dialog
from cogs.fairness.verification_text import EARLY_WORDS
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import MENU_SIZE, ComponentEvent, button, parse_id
from cogs.kit.layout import Accent, Item, note
from cogs.rules.rules_panel import draft as draft_panel
from cogs.turns import hand_text
from cogs.turns.block_button import block_button
from cogs.turns.match_feature import MatchFeature
from cogs.turns.over_panel import may_answer, proposer, rematch_buttons
from cogs.words import clocks
from cogs.words import rules as rules_text
from cogs.words.names import joined, mention, name
from cogs.words.table import relative_time

MAX_CLOCK_LENGTH: Final = 20
COMPUTER_INSTEAD: Final = (
    "You'll play the computer in private, and the match doesn't count. It starts as soon as you choose a level."
)
MAX_COMMITMENT_WAIT: Final = 2.0
"""Maximum time that the acceptance of a challenge waits for its commitment to be posted, in seconds.

A match that begins earlier is not verifiable.
"""


class Challenges(MatchFeature):
    """Commands, buttons and menus for challenges, their drafts, and rematches."""

    @app_commands.command(description="Challenge someone to a match, or let anyone accept")
    @app_commands.describe(
        opponent="Who to challenge; leave empty to let anyone accept",
        second="Another opponent, if the rules are for three or four players",
        third="A third opponent, if the rules are for four players",
        rules="The rules and any changes to them, for example: oklahoma spade_doubles=on",
        target="The score that ends the match; leave empty for the usual one",
        players="The number of players",
        options="Change individual rules before sending the challenge",
        casual="Play for fun: the match doesn't count",
        clock="Time per turn (such as 2d) or a live clock (such as 10m+20s)",
        words=WORDS_DESCRIPTION,
    )
    @app_commands.autocomplete(rules=MatchFeature.complete_rules)
    async def challenge(
        self,
        interaction: Interaction,
        opponent: discord.Member | None = None,
        rules: str | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
        second: discord.Member | None = None,
        third: discord.Member | None = None,
        players: app_commands.Range[int, 2, 4] | None = None,
        options: bool = False,
        casual: bool = False,
        clock: app_commands.Range[str, 1, MAX_CLOCK_LENGTH] | None = None,
        words: OwnWords | None = None,
    ) -> None:
        """Challenge people to a match in this channel, directly or with a draft whose options can be changed."""
        challenger, here = person_of(interaction), require_place(interaction)
        await self.access.require_may_write(interaction, here.guild_id, here.channel_id)
        members = [member for member in (opponent, second, third) if member is not None]
        if any(member.id == interaction.application_id for member in members):
            await show(interaction, levels(Subject.MENU, COMPUTER_INSTEAD))
            return
        for member in members:
            await require_can_accept(interaction, self.access, member, here)
        require_table_permissions(interaction)
        await require_room(interaction, self._app)
        named, cause = [PersonId(member.id) for member in members], interaction_id_of(interaction)
        issue = partial(
            self._app.challenges.issue,
            challenger,
            named,
            here,
            cause,
            rules=rules,
            target=target,
            exact_players=players,
            casual=casual,
            clock=clock,
            draft=options,
            words=words,
        )

        async def make(unseen: AlreadyOffered | None) -> Challenge:
            if unseen is None or unseen.draft is None:
                return await issue()
            return await self._app.drafts.send(challenger.id, unseen.draft.id, here.parent_id, known_digest=unseen.mark)

        try:
            challenge = await make_offer(interaction, self.access, make)
        except AlreadyOffered as refusal:
            await self._show_offers(interaction, refusal)
            return
        with after_saving():
            await self._direct_messages.open(interaction.user)
            if options:
                await self._show_draft(interaction, challenge)
            else:
                await self._show_sent(interaction, challenge, has_words=words is not None)

    @challenge.autocomplete("clock")
    async def complete_clock(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the typed clock if it is valid, then the usual clocks that match the typed text."""
        query, offered = search_key(typed), list[Clock]()
        with suppress(UnknownClockError):
            offered.append(Clock.parse(typed))
        offered += [
            usual_clock
            for usual_clock in clocks.usual_clocks()
            if query in search_key(f"{usual_clock} {_clock_label(usual_clock)}") and usual_clock not in offered
        ]
        return [app_commands.Choice(name=_clock_label(clock), value=str(clock)) for clock in offered[:MENU_SIZE]]

    @handles(Action.DRAFT_CLOCK)
    async def _use_clock(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.use_clock(person_id_of(interaction), event.challenge_id, event.value)
        with after_saving():
            await self._show_draft(interaction, draft)

    @handles(Action.DRAFT_RULES)
    async def _use_rules(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.use_rules(person_id_of(interaction), event.challenge_id, event.value)
        with after_saving():
            await self._show_draft(interaction, draft)

    @handles(Action.DRAFT_OPTION)
    async def _open_option(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.get(person_id_of(interaction), event.challenge_id)
        await self._show_draft(interaction, draft, event.value)

    @handles(Action.DRAFT_VALUE)
    async def _change_option(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, option = person_id_of(interaction), event.argument or ""
        draft = await self._app.drafts.change_option(person_id, event.challenge_id, option, event.value)
        with after_saving():
            await self._show_draft(interaction, draft, option)

    @handles(Action.DRAFT_SEND, need=Need.POST_FOR_CHALLENGE)
    async def _send(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, parent_id = person_id_of(interaction), parent_id_of(interaction)
        draft = await self._app.drafts.get(person_id, event.challenge_id)
        await require_room(interaction, self._app)
        for player in draft.named:
            await require_can_accept(interaction, self.access, discord.Object(player.id or 0), draft.place)

        def make(unseen: AlreadyOffered | None) -> Awaitable[Challenge]:
            known = event.argument if unseen is None else unseen.mark
            return self._app.drafts.send(person_id, draft.id, parent_id, known_digest=known)

        try:
            challenge = await make_offer(interaction, self.access, make)
        except AlreadyOffered as refusal:
            await self._show_offers(interaction, refusal)
            return
        with after_saving():
            await self._direct_messages.open(interaction.user)
            await self._show_sent(interaction, challenge)

    @handles(Action.DRAFT_DROP)
    async def _drop(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.drafts.drop(person_id_of(interaction), event.challenge_id)
        await show(interaction, note("Cancelled."))

    async def _show_draft(self, interaction: Interaction, draft: Challenge, open_option: str | None = None) -> None:
        offered = await self._app.rulebook.offered(draft.guild_id)
        await show(interaction, draft_panel(draft, offered, open_option))

    async def _show_offers(self, interaction: Interaction, refusal: AlreadyOffered) -> None:
        """Show the offers that a person can accept instead of sending their challenge, which is saved as a draft."""
        assert refusal.draft is not None
        anyway = button(refusal.draft.id, 0, Action.DRAFT_SEND, "Challenge anyway", argument=refusal.mark)
        await show(interaction, standing_offers(refusal, anyway, interaction.channel_id))

    async def _show_sent(self, interaction: Interaction, challenge: Challenge, *, has_words: bool = False) -> None:
        """Confirm a challenge. With `has_words`, say that its words were given before the seal."""
        rules, closes = rules_text.short_line(challenge.rules, challenge.ruleset), relative_time(challenge.expires_at)
        clock = clocks.of_match(challenge.clock)
        text = f"You challenged {_challenged_names(challenge)}: {rules}. The challenge expires {closes}."
        text += "" if clock is None else f"\n{clock}"
        text += f"\n{EARLY_WORDS}" if has_words and challenge.committed else ""
        refusal_code = await self._last_refusal(challenge.guild_id, challenge.channel_id)
        text += "" if refusal_code is None else f"\n\n{refused_in(challenge.channel_id, refusal_code)}"
        withdraw = button(challenge.id, 0, Action.WITHDRAW, "Withdraw")
        controls = (computers_button(challenge), withdraw, words_button(challenge))
        await show(interaction, note(text, Accent.WAITING, *controls))

    @app_commands.command(description="Accept a challenge")
    @app_commands.describe(words=WORDS_DESCRIPTION)
    async def accept(self, interaction: Interaction, words: OwnWords | None = None) -> None:
        """Accept a challenge on this server.

        If several challenges are open, a menu asks for one. A menu cannot keep shuffle words that were typed with the
        command, so choosing a challenge there opens the dialog for them.
        """
        action = Action.ACCEPT if words is None else Action.ACCEPT_WITH_WORDS
        event = await challenge_event(interaction, self.access, await self._open_challenges(interaction), action)
        await self._accept(interaction, event.with_text(words))

    @handles(Action.ACCEPT, Action.ACCEPT_WITH_WORDS, need=Need.POST_FOR_CHALLENGE)
    async def _accept(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Accept a challenge, or open the dialog for shuffle words first.

        If the person accepts instead of sending a challenge of their own, the button's argument is the id of their
        draft. The draft's shuffle words are then used for the accepted challenge, and the draft is deleted.
        """
        app, person, challenge_id, words = self._app, person_of(interaction), event.challenge_id, event.text
        # Check this first: do not open a direct message channel for a person who is not allowed to accept.
        opening = await app.challenges.opening(person, challenge_id)
        if event.action is Action.ACCEPT_WITH_WORDS and words is None:
            await show_dialog(interaction, words_dialog(event.action, challenge_id))
            return
        draft_id, _ = _parse_draft_and_mark(event)
        if words is None and draft_id is not None and opening.challenge.committed:
            words = await app.drafts.words(person.id, draft_id)
        await self._direct_messages.open(interaction.user, opening.dm)
        accept = partial(app.challenges.accept, person, challenge_id, words=words)
        if opening.challenge.is_lobby:
            challenge, match = await accept()
        else:
            await self._courier.wait_for_commitment(opening.unposted_chain, MAX_COMMITMENT_WAIT)
            challenge, match = await begin_at_home(interaction, app, self.access, opening, accept)
        with after_saving():
            await self._drop_draft(person.id, draft_id)
            if match is None:
                text = f"You're in. {name(challenge.challenger)} will start the match."
                leave = button(challenge.id, 0, Action.LEAVE_LOBBY, "Leave")
                no_dms = button(challenge.id, 0, Action.STOP_DMS, "No DMs")
                await show(interaction, note(text, Accent.YOURS, leave, words_button(challenge), no_dms))
                return
            await self._show_first_hand(interaction, match)

    @handles(Action.STOP_DMS, Action.WANT_DMS, need=Need.SEE_CHALLENGE)
    async def _choose_dms(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Save whether hands are sent by direct message. This does not accept the challenge."""
        person, wanted = person_of(interaction), event.action == Action.WANT_DMS
        await self._app.people.change_preferences(person, lambda now: replace(now, hand_by_dm=wanted), retry_dms=wanted)
        if wanted:
            await self._direct_messages.open(interaction.user)
        challenge = await self._app.challenges.get(event.challenge_id)
        may_accept = await self._may_accept(person.id, challenge)
        await show(interaction, about_dms(challenge, wanted=wanted, may_accept=may_accept))

    @handles(Action.CHALLENGE_MORE, need=Need.SEE_CHALLENGE)
    async def _show_more(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Answer with the person's other options for a challenge."""
        person_id, challenge = person_id_of(interaction), await self._app.challenges.get(event.challenge_id)
        if challenge.status is not ChallengeStatus.PENDING:
            raise ChallengeClosed(challenge)
        preferences = await self._app.people.preferences(person_id)
        may_accept = await self._may_accept(person_id, challenge)
        panel = more(challenge, person_id, may_accept=may_accept, gets_dms=preferences.hand_by_dm)
        await Answer.to(interaction).reply(panel)

    @handles(Action.STOP_DMS_OF_MATCH)
    async def _stop_dms(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Stop sending hands by direct message, and show the hand again."""
        person = person_of(interaction)
        # Check first that the match exists and the person plays it.
        await self._app.lookup.hand(person.id, event.match_id)
        await self._app.people.change_preferences(person, lambda now: replace(now, hand_by_dm=False))
        await self._hands.show(interaction, await self._app.lookup.hand(person.id, event.match_id), NO_DMS)

    async def _may_accept(self, person_id: PersonId, challenge: Challenge) -> bool:
        try:
            await self._app.challenges.require_open_to(person_id, challenge.id)
        except Refusal:
            return False
        return True

    @app_commands.command(description="Decline someone's challenge")
    async def decline(self, interaction: Interaction) -> None:
        person_id, challenges = person_id_of(interaction), await self._open_challenges(interaction)
        named = [challenge for challenge in challenges if any(player.id == person_id for player in challenge.named)]
        await self._decline(interaction, await challenge_event(interaction, self.access, named, Action.DECLINE))

    @handles(Action.DECLINE, need=Need.SEE_CHALLENGE)
    async def _decline(self, interaction: Interaction, event: ComponentEvent) -> None:
        declined = await self._app.challenges.decline(person_id_of(interaction), event.challenge_id)
        text = f"You declined {name(declined.challenger)}'s challenge."
        await show(interaction, note(text, Accent.WAITING, block_button(declined.challenger)))

    @app_commands.command(description="Withdraw your challenge or rematch offer")
    async def withdraw(self, interaction: Interaction) -> None:
        """Withdraw a challenge of the person or, if there is none, the offer of a rematch of the last match here."""
        own = await self._app.challenges.own(person_id_of(interaction))
        if not own and (match := await self._offered_rematch(interaction)) is not None:
            await self._withdraw_rematch(interaction, event_of(match, Action.WITHDRAW_REMATCH))
            return
        await self._withdraw(interaction, await challenge_event(interaction, self.access, own, Action.WITHDRAW))

    @handles(Action.WITHDRAW)
    async def _withdraw(self, interaction: Interaction, event: ComponentEvent) -> None:
        withdrawn = await self._app.challenges.withdraw(person_id_of(interaction), event.challenge_id)
        await show(interaction, note(f"You withdrew your challenge to {_challenged_names(withdrawn)}."))

    async def _offered_rematch(self, interaction: Interaction) -> MatchInfo | None:
        """Return the last match here if the person offers a rematch of it; else None."""
        try:
            last = await self._last_ended(interaction)
            hand = await self._app.lookup.hand(person_id_of(interaction), last.id)
        except (NoMatch, NotSeated):
            return None
        return last if hand.view.seat in last.seats_proposing(Proposal.REMATCH) else None

    async def _open_challenges(self, interaction: Interaction) -> Sequence[Challenge]:
        return await challenges_for(interaction, self._app, self.access, require_guild(interaction))

    @app_commands.command(description="Offer a rematch of the last match here")
    @app_commands.describe(words=WORDS_DESCRIPTION)
    async def rematch(self, interaction: Interaction, words: OwnWords | None = None) -> None:
        """Offer a rematch or agree to one, with the person's shuffle words if given."""
        try:
            last = await self._last_ended(interaction)
        except NoMatch as no_match:
            raise UserError(NO_MATCH_HERE if no_match.in_channel else NO_MATCH_BEFORE) from None
        await self._rematch(interaction, event_of(last, Action.REMATCH).with_text(words))

    @handles(Action.REMATCH, need=Need.POST_FOR_MATCH)
    @deliberate
    async def _rematch(self, interaction: Interaction, event: ComponentEvent) -> None:
        app, person_id, match_id, words = self._app, person_id_of(interaction), event.match_id, event.text
        draft_id, known = _parse_draft_and_mark(event)
        if words is None and draft_id is not None:
            words = await app.drafts.words(person_id, draft_id)
        former = await app.lookup.hand(person_id, match_id)
        await self._direct_messages.open(interaction.user)
        parent_id = await self.access.parent_of(interaction, former.match)
        if former.match.is_alone(former.view.seat):
            await self._courier.wait_for_commitment(await app.endings.commit_rematch(person_id, match_id))

        def make(unseen: AlreadyOffered | None) -> Awaitable[MatchInfo]:
            mark = known if unseen is None else unseen.mark
            rematch = partial(
                app.endings.rematch, person_id, match_id, parent_id=parent_id, words=words, known_digest=mark
            )
            # A rematch stays where the match was. A thread opened for an offer would stay empty if it is declined.
            return begin_in_channel_or_thread(interaction, app, self.access, MessageKind.END, match_id, rematch)

        try:
            match = await make_offer(interaction, self.access, make)
        except AlreadyOffered as refusal:
            argument = f"{'' if refusal.draft is None else refusal.draft.id}-{refusal.mark}"
            anyway = button(match_id, former.match.version, Action.REMATCH, "Rematch anyway", argument=argument)
            await show(interaction, standing_offers(refusal, anyway, interaction.channel_id))
            return
        with after_saving():
            await self._drop_draft(person_id, draft_id)
            if match.status is MatchStatus.RUNNING:
                await self._show_first_hand(interaction, match, "The rematch has started!")
            else:
                await self._show_offer(interaction, await app.lookup.hand(person_id, match_id))

    @handles(Action.WITHDRAW_REMATCH)
    async def _withdraw_rematch(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id = person_id_of(interaction)
        before = await self._app.lookup.hand(person_id, event.match_id)
        await self._app.endings.withdraw_rematch(person_id, event.match_id)
        with after_saving():
            hand = await self._app.lookup.hand(person_id, event.match_id)
            offered = before.view.seat in before.match.seats_proposing(Proposal.REMATCH)
            await self._hands.show(interaction, hand, "You withdrew your rematch offer." if offered else None)

    @handles(Action.DECLINE_REMATCH, need=Need.SEE_MATCH)
    async def _decline_rematch(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        match, seat = hand.match, hand.view.seat
        if seat in match.seats_proposing(Proposal.REMATCH):
            await self._show_offer(interaction, hand)
        elif not may_answer(match, seat):
            raise UserError(NO_OFFER)
        else:
            declined = await self._app.endings.decline_rematch(person_id_of(interaction), match.id)
            await self._show_offer(interaction, declined, block_button(proposer(match)))

    async def _drop_draft(self, person_id: PersonId, draft_id: ChallengeId | None) -> None:
        """Delete a person's draft if `draft_id` is given and the draft still exists."""
        if draft_id is not None:
            with suppress(Refusal):
                await self._app.drafts.drop(person_id, draft_id)

    async def _show_offer(self, interaction: Interaction, hand: OwnHand, *buttons: Item | None) -> None:
        """Show a player the state of a rematch: in a private message with their hand, or else in a short note.

        The note has these further buttons.
        """
        match, seat = hand.match, hand.view.seat
        text = hand_text.rematch(match, seat)
        if is_private(interaction) or text is None:
            await self._hands.show(interaction, hand)
        else:
            await Answer.to(interaction).reply(note(text, Accent.YOURS, *rematch_buttons(match, seat), *buttons))


def _parse_draft_and_mark(event: ComponentEvent) -> tuple[ChallengeId | None, str | None]:
    """Parse a button's argument `DRAFT-MARK`: a draft's id, and the digest of the offers that the person has seen."""
    draft, _, mark = (event.argument or "").partition("-")
    return ChallengeId(parse_id(draft)) if draft else None, mark or None


def _clock_label(clock: Clock) -> str:
    """Return a completion's label for a clock: its notation and its meaning in words, or just "No clock"."""
    return clocks.short(clock).capitalize() if clock.time is None else f"{clock}: {clocks.with_ending(clock)}"


def _challenged_names(challenge: Challenge) -> str:
    """Return the mentions of everyone who joined or was named, and "anyone here" if a place is free."""
    challenged = [mention(player) for player in (*challenge.players[1:], *challenge.named)]
    if challenge.open_places:
        challenged.append("anyone here")
    return joined(challenged)
