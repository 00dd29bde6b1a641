"""Practice matches with computers, the lesson, and hints."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from discord import app_commands

from bot.model.ids import GuildId
from bot.opponent.play.levels import Level
from bot.play.refusals import Refusal
from cogs.actions import Action, Subject
from cogs.challenges.levels import LEVEL_CHOICES, parse_level
from cogs.delivery.choosing import asking_which_match, event_of
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import handles
from cogs.delivery.interactions import interaction_id_of, person_id_of, person_of
from cogs.delivery.replies import show
from cogs.fairness.own_words import OwnWords
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import WithButton
from cogs.practice import hint_text as hints
from cogs.practice import lesson_text as lesson_texts
from cogs.practice.lesson_panel import START_OVER, lesson
from cogs.turns.hand_panel import hint_button
from cogs.turns.match_feature import MatchFeature
from cogs.words.names import opponents
from cogs.words.rules import written

NEXT_BEST: Final = "more"
"""The argument of the button that also shows the next best move."""


class Practice(MatchFeature):
    """Commands and buttons for practice matches of one person with computers, for the lesson, and for hints."""

    practice = app_commands.Group(name="practice", description="Play the computer")

    @practice.command(description="Play the computer at once, in private")
    @app_commands.describe(
        level="How well the computer plays",
        rules="The rules and any changes to them, for example: oklahoma spade_doubles=on",
        target="The score that ends the match; leave empty for the usual one",
        words="Text to mix into the shuffles, so nobody can rig the cards",
    )
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(rules=MatchFeature.complete_rules)
    async def start(
        self,
        interaction: Interaction,
        level: str = Level.CASUAL,
        rules: str | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
        words: OwnWords | None = None,
    ) -> None:
        """Begin a practice match in direct messages, or in this channel if those are closed."""
        await self._begin(interaction, parse_level(level), rules, target, words)

    async def _begin(
        self,
        interaction: Interaction,
        level: Level,
        rules: str | None = None,
        target: int | None = None,
        words: str | None = None,
        *,
        resume: bool = False,
    ) -> None:
        """Begin a practice match and answer with the hand.

        With `resume`, continue a running match with the same rules and level if there is one.
        """
        person, guild_id = person_of(interaction), interaction.guild_id
        await self._direct_messages.open(interaction.user)
        await self._courier.wait_for_commitment(await self._app.practice.commit(person.id, resume=resume))
        server = None if guild_id is None else GuildId(guild_id)
        hand, is_new = await self._app.practice.start(
            person,
            server,
            interaction_id_of(interaction),
            level=level,
            rules=rules,
            target=target,
            resume=resume,
            words=words,
        )
        with after_saving():
            announcement = f"You're playing against {opponents(hand.match, hand.view.seat)}."
            await self._show_private_match(interaction, hand, announcement, is_new=is_new)

    @practice.command(description="Learn gin rummy in three minutes")
    async def learn(self, interaction: Interaction) -> None:
        """Show the step at which the person left the lesson."""
        await self._show_current_step(interaction)

    async def _show_current_step(self, interaction: Interaction) -> None:
        step = await self._app.lessons.step(person_id_of(interaction))
        await self._show_lesson(interaction, step, notice=lesson_texts.resumed(step))

    @handles(Action.LESSON)
    async def _learn(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Handle a press in the lesson. A button of any step but the current one just shows the current step."""
        person, at, press = person_of(interaction), event.version, event.argument
        if press is None:
            await self._show_current_step(interaction)
        elif press == START_OVER:
            await self._show_lesson(interaction, await self._app.lessons.start_over(person.id, at))
        else:
            step = await self._app.lessons.press(person, at, press)
            await self._show_lesson(interaction, step, refused=press if step == at else None)

    async def _show_lesson(
        self, interaction: Interaction, step: int, *, notice: str | None = None, refused: str | None = None
    ) -> None:
        person = person_of(interaction)
        preferences = await self._app.people.preferences(person.id)
        panel = await lesson(step, person, preferences, self._pictures, notice=notice, refused=refused)
        await show(interaction, panel)

    @handles(Action.PRACTISE)
    async def _practise(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Begin a practice match with a novice computer, or resume the person's existing one."""
        await self._begin(interaction, Level.NOVICE, resume=True)

    @handles(Action.PRACTISE_LEVEL)
    async def _practise_at_level(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Begin a practice match with the chosen computer, by the rules of a draft if the menu belongs to one."""
        level, drafts, person_id = parse_level(event.value), self._app.drafts, person_id_of(interaction)
        if event.subject == Subject.MENU:
            await self._begin(interaction, level)
            return
        draft = await drafts.get(person_id, event.challenge_id)
        offered = await self._app.rulebook.offered(draft.guild_id)
        base = next((rules for rules in offered if rules.name == draft.ruleset), None)
        await self._begin(interaction, level, written(draft.rules, base))
        with suppress(Refusal):
            await drafts.drop(person_id, draft.id)

    @practice.command(description="Get a hint in practice: the best move, and why")
    async def hint(self, interaction: Interaction) -> None:
        """Show the best move in the person's practice match, in any channel."""
        async with asking_which_match(interaction, self._app, self.access, Action.HINT):
            match = await self._app.lookup.find_practice(person_id_of(interaction))
        await self._hint(interaction, event_of(match, Action.HINT))

    @handles(Action.HINT)
    async def _hint(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the best move, and after a second press also the cost of the next best one."""
        advice = await self._app.computers.advise(person_id_of(interaction), event.match_id)
        if event.argument == NEXT_BEST:
            text = f"{hints.hint(advice)}\n{hints.next_best(advice)}"
            shown_hint = WithButton(text, hint_button(advice.hand))
        else:
            shown_hint = WithButton(hints.hint(advice), hint_button(advice.hand, "Next best", NEXT_BEST))
        await self._hands.show(interaction, advice.hand, hint=shown_hint)
