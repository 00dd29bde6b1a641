"""Verifiable deals, explained without cryptographic terms."""

from __future__ import annotations

from typing import Final

from bot.engine.fairness.audit import Answer, SeedKind
from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.model.challenges import Challenge
from bot.model.fairness import EventKind, Fairness, GivenWords, SeatSeed
from bot.model.matches import MatchInfo, Showdown
from bot.model.verification import VerifiedDeal
from bot.model.words import count
from cardart.text import daily
from cardart.text.card_names import card_names
from cogs.words.clocks import date_of
from cogs.words.names import first_player, joined, name, place, safe, versus

WHAT_WORDS_DO: Final = (
    "I mix your words into every shuffle, so nobody can rig it. Everyone in the channel can read them."
)
EARLY_WORDS: Final = (
    "-# You added these words before I posted the 🔒 seal. The person who runs this bot could have used them to "
    "cheat. To rule that out, change them now."
)
HOW: Final = """\
**1.** Before a match, I choose a secret for each shuffle. From all the secrets I make a code, the *seal*, and post it \
after a 🔒. If I changed a secret later, it would no longer match the seal.
**2.** Players can add their own shuffle words. My secrets and everyone's words together decide the cards, so neither \
I nor a player can choose a card.
**3.** After each deal, I publish its secret. Press *Verify*, and I repeat the shuffle and compare every card.
**4.** You don't have to trust me: *Verify* also gives you files, so you can check everything yourself.
-# This proves that nobody chose the cards. It can't prove that nobody looked at them."""
LOOK_AHEAD: Final = "-# Someone with a second account can look ahead, so streaks and standings are just for fun."
HOW_DAILY: Final = f"""\
**1.** Each day, I choose a secret for the shuffle. From it I make a code, the *seal*, and show it after a 🔒 before \
anyone can play. If I changed the secret later, it would no longer match the seal.
**2.** When the day is over, I publish the secret. Press *Verify*, and I repeat the shuffle and compare every card.
**3.** You don't have to trust me: *Verify* also gives you files, so you can check everything yourself.
-# This proves that the cards were fixed in advance. It can't prove that nobody chose them or looked at them.
{LOOK_AHEAD}"""
DAILY_LIMIT: Final = (
    "-# Everyone gets the same cards, so nobody adds shuffle words. The check proves that the cards were fixed in "
    "advance, not that nobody chose them."
)

CHECKED: Final = "-# You can check this deal."
CHECKED_LATER: Final = "-# You can check this deal once the round is over."
NOT_CHECKED: Final = "-# This match can't be checked. Press *Verify* to see why."
SEEDS_USED_UP: Final = "This match has used up its sealed shuffles, so I called it off. A rematch gets new ones."

_UNPOSTED: Final = "The match started before I could post this seal, so the seal proves nothing."
NOTHING_HERE: Final = "There's nothing to check here yet. Here's how checking works:"
_NOTHING_YET: Final = "**Nothing to check yet.** The cards are sealed until the {until} is over."
_SEALED: Final = "**The cards of this {until} are still sealed.**"
_EARLIER_OK: Final = "Nobody chose the cards of the earlier deals."
_EARLIER_CONSISTENT: Final = "I found nothing wrong with the cards of the earlier deals."
_OK: Final = (
    "**Checked: nobody chose these cards.** I redid the shuffles with my sealed secrets and the players' shuffle "
    "words, and every card matches."
)
_OK_DAILY: Final = (
    "**Checked: these cards were fixed before anyone played.** I redid the shuffle with my sealed secret, and every "
    "card matches."
)
_CONSISTENT: Final = "**I found nothing wrong with these cards.** I can't check everything, because {why}."
_WRONG: Final = (
    "**Something is wrong.** These cards don't match my sealed secrets. Save the files and show them to someone "
    "you trust."
)
_EVENTS: Final = {
    EventKind.CUT: "the cut",
    EventKind.DECK: "the deck",
    EventKind.RESHUFFLE: "the reshuffled stock",
}

_MOST_DIFFERENCES: Final = 3


def commitment(value: bytes) -> str:
    """Return the text of the post with the full commitment to a match's server seeds."""
    return f"-# 🔒 Shuffles sealed in advance: `{value.hex()}`"


def checkable(shown: Showdown) -> str | None:
    """Say when the deal of a showdown can be checked, if at all; None for matches older than verifiable deals."""
    if shown.match.fairness is Fairness.NONE:
        return None
    if shown.match.fairness is Fairness.UNPOSTED:
        return NOT_CHECKED
    return CHECKED_LATER if shown.view.boards > 1 and not shown.view.board_points else CHECKED


def hands_open(match: MatchInfo) -> str | None:
    """Say that ending the match reveals all hands; None if it does not, or if nobody else can see the match."""
    opened = match.fairness.reveals_hands and not match.is_practice
    return "Once the match has ended, everyone can see all hands." if opened else None


def whose_words(subject: Challenge | MatchInfo) -> str:
    """Return the title above a player's words, with the match or challenge that the words are for."""
    if isinstance(subject, MatchInfo):
        where = "" if subject.channel_id is None else f" in {place(subject)}"
        return f"Your shuffle words · {versus(subject)}{where}"
    return f"Your shuffle words · {name(subject.challenger)}'s challenge"


def own_words(given: GivenWords | None, match: MatchInfo | None = None) -> str:
    """Return a player's words and the deal from which they count, or say that they have given none."""
    if given is None:
        is_posted = match is None or match.fairness is Fairness.VERIFIABLE
        instead = " Until you add some, I use the ID of my 🔒 message instead." if is_posted else ""
        return f"You haven't added any shuffle words yet.{instead}"
    early = f"\n{EARLY_WORDS}" if given.early else ""
    return f"Your shuffle words: {quoted(given.text)}\n{counting(given)}{early}"


def counting(given: GivenWords) -> str:
    """Return the deal from which a player's words count."""
    if given.counts_from is None:
        return "I use your words from the first shuffle on."
    return f"I use your words from deal {given.counts_from} on."


def quoted(words: str) -> str:
    """Return a player's words in quotation marks, escaped for a message."""
    return f"“{safe(words, MAX_WORDS_LENGTH, if_invisible='only invisible characters')}”"


def title(deal: VerifiedDeal) -> str:
    """Return the title of an audit: the deal and the match."""
    return f"Verify · {_deal_name(deal)} · {versus(deal.match)}"


def outcome(deal: VerifiedDeal) -> str:
    """Return the result of an audit in plain words, and the number of checked shuffles."""
    if deal.audit.answer is Answer.WRONG:
        differences = [
            f"-# Doesn't match: {difference.what}" for difference in deal.audit.differences[:_MOST_DIFFERENCES]
        ]
        return "\n".join((_WRONG, *differences))
    if not deal.checked_events:
        return _NOTHING_YET.format(until=_unit(deal))
    is_ok = deal.audit.answer is Answer.OK
    if all(event.is_sealed for event in deal.events):
        sealed = _SEALED.format(until=_unit(deal))
        found = f"{sealed} {_EARLIER_OK if is_ok else _EARLIER_CONSISTENT}"
    else:
        ok = _OK if deal.match.day is None else _OK_DAILY
        found = ok if is_ok else _CONSISTENT.format(why=_unknown(deal))
    counted = f"I checked {count(deal.checked_events, 'shuffle')} of this match."
    if deal.unrecorded_events:
        are = "is" if deal.unrecorded_events == 1 else "are"
        counted += f" {count(deal.unrecorded_events, 'more shuffle')} {are} sealed until the {_unit(deal)} is over."
    return f"{found}\n-# {counted}"


def _unit(deal: VerifiedDeal) -> str:
    """Return the name for the part of a match that must be over before a check: `round` with partners, else `deal`."""
    return "round" if deal.match.rules.format == "partners" else "deal"


def _unknown(deal: VerifiedDeal) -> str:
    """Return a clause with the reason why not everything can be checked."""
    removed = [seed.seat for seed in deal.all_seeds if seed.text is None]
    if removed:
        whose = joined([name(first_player(deal.match, seat)) for seat in dict.fromkeys(removed)])
        return f"{whose} had their shuffle words deleted"
    if deal.match.fairness is Fairness.UNPOSTED:
        return "the seal wasn't posted in time"
    if deal.audit.withheld:
        missing = deal.audit.withheld
        return f"I haven't published the secret{'s' if len(missing) > 1 else ''} of {count(len(missing), 'shuffle')}"
    return "some of the players' shuffle words are missing"


def promise(deal: VerifiedDeal) -> str:
    """Return the commitment, the time when it was posted, and a link to the post."""
    promised = deal.promise
    number = f"`{promised.commitment.hex()}`"
    if deal.match.day is not None:
        return f"**Seal**, shown before the deal could be played: {number}"
    if promised.message_id is None or promised.posted_at is None or promised.channel_id is None:
        return f"**Seal:** {number}\n{_UNPOSTED}"
    link = f"https://discord.com/channels/{deal.match.guild_id or '@me'}/{promised.channel_id}/{promised.message_id}"
    moment = date_of(promised.posted_at)
    late = f"\n{_UNPOSTED}" if deal.match.fairness is Fairness.UNPOSTED else ""
    return f"**Seal**, posted {moment} in [this message]({link}): {number}{late}"


def events(deal: VerifiedDeal) -> str | None:
    """Return a line for each shuffle in the deal, with its cards or the note that they are sealed."""
    names = card_names(deal.match.appearance.language)
    sealed = f"sealed until the {_unit(deal)} is over"
    return "\n".join(
        f"-# Shuffle {event.number}, {_EVENTS[event.kind]}: "
        f"{sealed if event.cards is None else names.short_row(event.cards)}"
        for event in deal.events
    )


def contributions(deal: VerifiedDeal) -> str:
    """Return each player's contribution to the shuffles of the deal: their words, or the text used instead."""
    lines = [f"{name(first_player(deal.match, seed.seat))}: {_addition(seed)}" for seed in deal.seeds]
    return "\n".join(("**The players' shuffle words**", *lines))


def _addition(seed: SeatSeed) -> str:
    if seed.text is None:
        return "deleted"
    match seed.kind:
        case SeedKind.WORDS:
            early = ", added before the seal, so the person who runs this bot could have used them to cheat"
            return f"{quoted(seed.text)}{early if seed.early else ''}"
        case SeedKind.MESSAGE:
            return f"none, so I used the ID of my 🔒 message: `{seed.text}`"
        case SeedKind.HOUSE:
            return f"I always use `{seed.text}` here"
        case SeedKind.NONE:
            return f"none, and there was no 🔒 message, so I used `{seed.text}`"


def by_hand(deal: VerifiedDeal) -> str:
    """Explain how to verify the match offline with its files."""
    return (
        "**Check it yourself** with Python 3.11 or newer. Save the files in one folder and run this command there. On "
        f"Windows, type `python` instead of `python3`.\n```sh\n{command(deal)}\n```"
    )


def command(deal: VerifiedDeal) -> str:
    """Return the command that verifies a match. It needs no quoting in any shell: the players' words are in a file."""
    commit = f"--commit {deal.promise.commitment.hex()}" if deal.match.fairness is Fairness.VERIFIABLE else None
    words = f"--words-from {words_name(deal)}" if deal.known_texts else None
    return " ".join(filter(None, ("python3 verify.py", record_name(deal), commit, words)))


def words_file(deal: VerifiedDeal) -> str:
    """Return the contents of the file with all known words, in the format of `verify.py`."""
    return "".join(f"{seat}={text}\n" for seat, texts in deal.known_texts.items() for text in texts)


def record_name(deal: VerifiedDeal) -> str:
    return f"match-{deal.match.id}.gin"


def words_name(deal: VerifiedDeal) -> str:
    return f"match-{deal.match.id}-words.txt"


def _deal_name(deal: VerifiedDeal) -> str:
    if deal.match.day is not None:
        return daily.name(deal.match.day)
    board = f", board {deal.board}" if deal.match.rules.format == "partners" else ""
    return f"Deal {deal.number}{board}"
