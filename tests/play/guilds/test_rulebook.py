"""The presets that a server offers, its house rules, and the rules of existing matches, which never change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.rules import PRESETS, Rules
from bot.model.challenges import Challenge
from bot.model.guilds import GuildSettings
from bot.model.ids import ChannelId, GuildId
from bot.play.application import Application
from bot.play.guilds.rulebook import MAX_HOUSE_RULES
from bot.play.refusals import (
    NotOffered,
    TooManyHouseRules,
    UnknownOption,
    UnknownRules,
    WrongRulesName,
    WrongValue,
)
from bot.store.columns import parse_stored_rules
from bot.store.database import Database
from cogs.words.rules import written
from tests.helpers.cases import thorough_after
from tests.helpers.clock import Clock
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import CHANNEL, GUILD, NORTH, OTHER_GUILD, SOUTH, Players, change_settings, interaction, place


async def issue_and_withdraw(
    app: Application, rules: str | None, target: int | None = None, guild_id: GuildId = GUILD
) -> Challenge:
    """Let North make an open challenge, and withdraw it."""
    challenge = await app.challenges.issue(
        NORTH, [], place(guild_id=guild_id), interaction(), rules=rules, target=target
    )
    await app.challenges.withdraw(NORTH.id, challenge.id)
    return challenge


async def test_every_preset_is_offered_at_first(app: Application) -> None:
    """A server offers every preset and no house rules by default."""
    offers = await app.rulebook.offered(GUILD)
    assert [(offer.name, offer.rules, offer.house) for offer in offers] == [
        (name, Rules.parse(name), False) for name in PRESETS
    ]
    for name in ("hollywood", "partners"):
        challenge = await issue_and_withdraw(app, name)
        assert (challenge.ruleset, challenge.rules) == (name, Rules.parse(name))


@pytest.mark.thorough
async def test_a_server_offers_what_it_chose(app: Application) -> None:
    """Presets that a server does not offer are refused. The error lists the offered presets and all house rules."""
    await change_settings(app, rules="low", offered=("low", "partners"))
    await app.rulebook.save(GUILD, "Our way", "even target=50")
    assert [named_rules.name for named_rules in await app.rulebook.offered(GUILD)] == ["low", "partners", "Our way"]
    for text in ("even", "classic target=10"):
        with pytest.raises(NotOffered) as caught:
            await issue_and_withdraw(app, text)
        assert caught.value.offered == ("low", "partners", "Our way")
        with pytest.raises(NotOffered):
            await app.rulebook.read(GUILD, text)
    with pytest.raises(UnknownRules) as unknown:
        await issue_and_withdraw(app, "chess")
    assert unknown.value.offered == ("low", "partners", "Our way")
    assert (await issue_and_withdraw(app, "low target=7")).rules.target == 7
    assert (await issue_and_withdraw(app, "our WAY")).ruleset == "Our way"
    assert (await issue_and_withdraw(app, "even", guild_id=OTHER_GUILD)).ruleset == "even"


async def test_contradictory_settings_are_refused(app: Application) -> None:
    """A server's default rules must exist and be offered, and every offered preset must exist."""
    with pytest.raises(NotOffered):
        await change_settings(app, rules="classic", offered=("low",))
    with pytest.raises(UnknownRules):
        await change_settings(app, rules="chess")
    with pytest.raises(UnknownRules):
        await change_settings(app, offered=("low", "chess"))
    assert await app.guilds.settings(GUILD) == GuildSettings("classic", None, ())


async def test_house_rules_are_named_and_played(app: Application) -> None:
    """House rules are found by name, ignoring case. Options can follow the name, and challenges show the name."""
    saved = await app.rulebook.save(GUILD, "  Friday   Night-1 ", "low target=60")
    assert (saved.name, saved.rules, saved.house) == ("Friday Night-1", Rules.parse("low target=60"), True)
    assert await app.rulebook.house_rules(GUILD) == (saved,)
    assert await app.rulebook.house_rules(OTHER_GUILD) == ()
    challenge = await issue_and_withdraw(app, "friday night-1 gin_bonus=30")
    assert (challenge.ruleset, challenge.rules) == ("Friday Night-1", replace(saved.rules, gin_bonus=30))
    assert (await issue_and_withdraw(app, "Friday Night-1", target=5)).rules.target == 5
    assert (await app.rulebook.read(GUILD, "FRIDAY NIGHT-1 target=100")).rules == Rules.parse("low")
    with pytest.raises(UnknownRules) as caught:
        await issue_and_withdraw(app, "Friday Night-1 gin_bonus=many")
    assert "gin_bonus" in caught.value.reason
    with pytest.raises(UnknownRules):
        await issue_and_withdraw(app, "Friday Night-1", guild_id=OTHER_GUILD)
    replaced = await app.rulebook.save(GUILD, "FRIDAY NIGHT-1", "friday night-1 target=70")
    assert await app.rulebook.house_rules(GUILD) == (replaced,)
    assert replaced.rules.target == 70


@pytest.mark.parametrize(
    ("text", "refused", "asked"),
    [
        ("foo", UnknownRules, "foo"),
        ("foo=bar", UnknownRules, "foo=bar"),
        ("classic knock=50x", UnknownOption, "knock"),
        ("classic target=50 foo", UnknownOption, "foo"),
        ("classic knock_limit=50x", WrongValue, "50x"),
        ("classic target=", WrongValue, ""),
    ],
)
async def test_refused_rules_have_what_was_typed(
    app: Application, text: str, refused: type[UnknownRules], asked: str
) -> None:
    """The refusal of rules has the name, the option or the value that is unknown, as it was typed."""
    with pytest.raises(UnknownRules) as caught:
        await app.rulebook.read(GUILD, text)
    assert (type(caught.value), caught.value.asked) == (refused, asked)


async def test_names_that_house_rules_cannot_have(app: Application) -> None:
    """House rules cannot have a name that is too long, has special characters, or resembles a preset or category."""
    invalid = ("", "x" * 33, "no_way", "-", "'s", "a=b", "target=50", "target＝50", "Two/Three", "\u3164\u3164")
    invalid += ("\uffa0 \u115f", "a:b", "@here", "<@1>", "a*b", "`a`", "[a](b)", "#games", "a\u202eb", "a\nb|c", "a~~b")
    taken = ("classic", "Free Discard", "round-the-corner", "LOW", "Teams", "points", "free.discard", "Classic!")
    taken += ("сlаssіс", "Clássic", "c1assic", "big?", "Round the (corner)")
    for name in (*invalid, *taken):
        with pytest.raises(WrongRulesName) as caught:
            await app.rulebook.save(GUILD, name, "classic")
        assert caught.value.taken == (name in taken)
    assert await app.rulebook.house_rules(GUILD) == ()


@pytest.mark.parametrize(
    "name",
    thorough_after(
        2,
        ["No. 7 (long), 50% off!", "Правила Ольги", "ハウスルール", "नियम", "خانه", "Mum's rules", "Anna & Bo – 2+2?"],
    ),
)
async def test_house_rules_names_in_any_alphabet(app: Application, name: str) -> None:
    """Names in any alphabet, with punctuation, are stored as written, and are found even if options follow the name."""
    saved = await app.rulebook.save(GUILD, name, "low")
    assert saved.name == name
    assert (await issue_and_withdraw(app, f"{name} target=60")).ruleset == name
    assert (await app.rulebook.remove(GUILD, name)).name == name


async def test_apostrophes_and_dashes_have_many_forms(app: Application) -> None:
    """Names that differ only in the kind of apostrophes and dashes count as the same name."""
    await app.rulebook.save(GUILD, "Mum's Friday-rules", "low")
    saved = await app.rulebook.save(GUILD, "Mum’s friday–rules", "even")
    assert await app.rulebook.house_rules(GUILD) == (saved,)
    assert await app.rulebook.house_rule(GUILD, "MUM`S FRIDAY-RULES") == saved
    assert (await app.rulebook.read(GUILD, "mum's friday-rules")).rules == saved.rules


async def test_house_rules_must_be_playable(app: Application) -> None:
    """Unplayable house rules are not saved, and the error says why. Playable ones are saved, even with a long name."""
    with pytest.raises(UnknownRules) as caught:
        await app.rulebook.save(GUILD, "Ours", "classic target=none")
    assert "never ends" in caught.value.reason
    assert await app.rulebook.house_rules(GUILD) == ()
    await app.rulebook.save(GUILD, "ö" * 32, "partners lay_off_mode=manual")


@pytest.mark.thorough
async def test_at_most_25_house_rules(app: Application) -> None:
    """A server can have 25 house rules. At the limit, saved ones can still be replaced or removed."""
    for number in range(MAX_HOUSE_RULES):
        await app.rulebook.save(GUILD, f"Rules {number}", "classic")
    with pytest.raises(TooManyHouseRules) as caught:
        await app.rulebook.save(GUILD, "One more", "classic")
    assert caught.value.maximum == 25
    await app.rulebook.save(GUILD, "rules 7", "low")
    await app.rulebook.remove(GUILD, "Rules 8")
    await app.rulebook.save(GUILD, "One more", "classic")
    assert len(await app.rulebook.house_rules(GUILD)) == MAX_HOUSE_RULES


@pytest.mark.thorough
async def test_removed_house_rules_cannot_be_chosen(app: Application, players: Players) -> None:
    """Removed house rules cannot be chosen and are no longer the default. A match with these rules continues."""
    await app.rulebook.save(GUILD, "Ours", "low target=60")
    await change_settings(app, rules="ours", offered=("even",))
    match = await players.begin("Ours")
    assert (await issue_and_withdraw(app, None)).ruleset == "Ours"
    assert (await app.rulebook.remove(GUILD, "OURS")).name == "Ours"
    assert (await app.guilds.settings(GUILD)).rules == "even"
    with pytest.raises(UnknownRules):
        await issue_and_withdraw(app, "Ours")
    with pytest.raises(UnknownRules):
        await app.rulebook.remove(GUILD, "Ours")
    hand = await players.move(match.id, "take")
    assert (hand.match.ruleset, hand.view.public.rules.target) == ("Ours", 60)


@pytest.mark.nightly
async def test_editing_a_preset_changes_no_match(
    app: Application, database: Database, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changing a preset does not change existing matches, challenges and house rules."""
    running = await players.begin("low")
    await players.move(running.id, "take")
    finished = await players.begin("classic target=10", channel_id=ChannelId(CHANNEL + 1))
    await players.win(finished.id)
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), rules="traditional")
    saved = await app.rulebook.save(GUILD, "Ours", "quick")
    before = [await app.lookup.summary(match.id) for match in (running, finished)]
    edits = {"undercut_bonus": 77, "lay_off_chain": False, "target": 7}
    changed = {name: replace(preset, values={**preset.values, **edits}) for name, preset in PRESETS.items()}
    monkeypatch.setattr("bot.engine.rules.rules.PRESETS", changed)
    parse_stored_rules.cache_clear()
    assert Rules.parse("low").undercut_bonus == 77
    later = Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN), clock=clock)
    assert [await later.lookup.summary(match.id) for match in (running, finished)] == before
    assert await later.challenges.own(NORTH.id) == (challenge,)
    assert (await later.rulebook.read(GUILD, "Ours")).rules == saved.rules
    await Players(later).move(running.id, "gin")
    assert (await later.lookup.table(running.id)).view.score.scores == (80, 0)
    rematch = await later.endings.rematch(NORTH.id, finished.id)
    assert rematch.rules == finished.rules


@pytest.mark.parametrize(
    "stored",
    [
        "big big_gin_bonus=31 lay_off_mode=manual line_bonus=25 shutout=double_deals shutout_needs=winner_won_all",
        "penalty format=penalty cards_dealt=7 undercut_on_tie=off lay_off_chain=off stock_out=reshuffle game_bonus=0"
        " line_bonus=0",
    ],
)
def test_rules_stored_before_a_preset_changed_stay_as_they_were(stored: str) -> None:
    """Rules stored before a change of their preset keep their values, shown as differences from the preset."""
    rules = parse_stored_rules(stored)
    assert rules == Rules.parse(stored, version=1)
    assert written(rules) == f"{rules.preset} opening=offer"
    assert parse_stored_rules(str(rules)) == rules


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_stored_rules_round_trip(name: str) -> None:
    """The rules of every preset, and variants of them, round-trip through storage."""
    rules = Rules.parse(name)
    for variant in (rules, replace(rules, target=55), replace(rules, gin_bonus=25, undercut_bonus=25)):
        assert parse_stored_rules(str(variant)) == variant
