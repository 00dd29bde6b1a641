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
from cardart.text.card_names import card_names
from cogs.words.names import first_player, joined, name, place, safe, versus

WHAT_WORDS_DO: Final = "They go into every shuffle, so nobody can arrange it. Everybody in the channel can read them."
HOW: Final = """\
**1.** Before a match begins, I draw a secret for every shuffle of it, and post a *fingerprint* of \
them all: the long number beside the 🔒. With other secrets, it would be another number.
**2.** Then the players may add words of their own. The order of the cards follows from my secret and everybody's \
words together, so neither I nor any player can choose a card.
**3.** Once a deal is over, I publish its secret. *Verify* shuffles again and compares everything: the fingerprint, \
the words, and each card.
**4.** You need not believe me: *Verify* gives you the files with which your own computer does the same.
-# It proves that nobody chose the cards. It does not prove that whoever runs me never looked at them."""

CHECKED: Final = "-# This deal can be checked."
CHECKED_LATER: Final = "-# This deal can be checked when the round is over."
NOT_CHECKED: Final = "-# Players cannot check this match. *Verify* says why."
SEEDS_USED_UP: Final = (
    "Every shuffle that was sealed before this match has been used, so I called it off. A rematch gets new ones."
)

_UNPOSTED: Final = (
    "The match began before I could post this number. You cannot know that it is older than the match, so players "
    "cannot check it."
)
NOTHING_HERE: Final = "There is no match here to check yet. This is how it works:"
_NOTHING_YET: Final = "**Nothing to check yet.** The cards are sealed until their {until} is over. Ask again then."
_SEALED: Final = "**Sealed: this {until} is not over yet.** The cards can be checked then."
_NOBODY_CHOSE: Final = "Nobody chose"
_NOTHING_WRONG: Final = "I found nothing wrong with"
_OK: Final = (
    "**Checked: nobody chose these cards.** I shuffled again, from what was promised and from what the players added, "
    "and every card came out the same."
)
_CONSISTENT: Final = (
    "**I found nothing wrong with these cards**, and each one follows from what was promised. But {why}, so I cannot "
    "check everything."
)
_WRONG: Final = (
    "**Something is wrong.** These cards are not those that follow from what was promised. Save the files, and show "
    "them to somebody you trust."
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
    return "Once the match is over, everybody can see all hands, as after every deal." if opened else None


def whose_words(subject: Challenge | MatchInfo) -> str:
    """Return the title above a player's words, with the match or challenge that the words are for."""
    if isinstance(subject, MatchInfo):
        where = "" if subject.channel_id is None else f" in {place(subject)}"
        return f"Your words · {versus(subject)}{where}"
    return f"Your words · {name(subject.challenger)}'s challenge"


def own_words(given: GivenWords | None, match: MatchInfo | None = None) -> str:
    """Return a player's words and the deal from which they count, or say that they have given none."""
    if given is None:
        is_posted = match is None or match.fairness is Fairness.VERIFIABLE
        instead = ", so the number of the message with the 🔒 is used instead" if is_posted else ""
        return f"You have given no words{instead}."
    early = (
        "\n-# You gave them before the 🔒 was posted. If you change them now, nobody can have known the new ones "
        "when it was posted."
    )
    return f"Your words: {quoted(given.text)}\n{counting(given)}{early if given.early else ''}"


def counting(given: GivenWords) -> str:
    """Return the deal from which a player's words count."""
    if given.counts_from is None:
        return "They count from the first shuffle on."
    return f"They count from deal {given.counts_from} on."


def quoted(words: str) -> str:
    """Return a player's words in quotation marks, escaped for a message."""
    return f"“{safe(words, MAX_WORDS_LENGTH, if_invisible='nothing that can be seen')}”"


def title(deal: VerifiedDeal) -> str:
    """Return the title of an audit: the deal and the match."""
    return f"Verify · {_deal_name(deal)} · {versus(deal.match)}"


def outcome(deal: VerifiedDeal) -> str:
    """Return the result of an audit in plain words, and the number of checked shuffles."""
    if deal.audit.answer is Answer.WRONG:
        differences = [
            f"-# Does not fit: {difference.what}" for difference in deal.audit.differences[:_MOST_DIFFERENCES]
        ]
        return "\n".join((_WRONG, *differences))
    if not deal.checked_events:
        return _NOTHING_YET.format(until=_unit(deal))
    is_ok = deal.audit.answer is Answer.OK
    if all(event.is_sealed for event in deal.events):
        sealed = _SEALED.format(until=_unit(deal))
        found = f"{sealed} {_NOBODY_CHOSE if is_ok else _NOTHING_WRONG} the cards of the deals before it."
    else:
        found = _OK if is_ok else _CONSISTENT.format(why=_unknown(deal))
    counted = f"{count(deal.checked_events, 'shuffle')} of this match checked."
    if deal.unrecorded_events:
        more = f"{deal.unrecorded_events} more {'is' if deal.unrecorded_events == 1 else 'are'}"
        counted += f" {more} not in the file until the {_unit(deal)} is over."
    return f"{found}\n-# {counted}"


def _unit(deal: VerifiedDeal) -> str:
    """Return the name for the part of a match that must be over before a check: `round` with partners, else `deal`."""
    return "round" if deal.match.rules.format == "partners" else "deal"


def _unknown(deal: VerifiedDeal) -> str:
    """Return a clause with the reason why not everything can be checked."""
    removed = [seed.seat for seed in deal.all_seeds if seed.text is None]
    if removed:
        whose = joined([name(first_player(deal.match, seat)) for seat in dict.fromkeys(removed)])
        return f"the words of {whose} were removed on request"
    if deal.match.fairness is Fairness.UNPOSTED:
        return "the number below was not posted in time"
    if deal.audit.withheld:
        return (
            f"of {count(len(deal.audit.withheld), 'shuffle')} the secret is missing, which should have been published "
            "by now"
        )
    return "not everything that the players added is known"


def promise(deal: VerifiedDeal) -> str:
    """Return the commitment, the time when it was posted, and a link to the post."""
    promised = deal.promise
    number = f"`{promised.commitment.hex()}`"
    if promised.message_id is None or promised.posted_at is None or promised.channel_id is None:
        return f"**Promised:** {number}\n{_UNPOSTED}"
    link = f"https://discord.com/channels/{deal.match.guild_id or '@me'}/{promised.channel_id}/{promised.message_id}"
    moment = f"<t:{int(promised.posted_at.timestamp())}:f>"
    late = f"\n{_UNPOSTED}" if deal.match.fairness is Fairness.UNPOSTED else ""
    return f"**Promised** {moment} in [this message]({link}): {number}{late}"


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
    return "\n".join(("**What the players added**", *lines))


def _addition(seed: SeatSeed) -> str:
    if seed.text is None:
        return "words that were removed on request"
    match seed.kind:
        case SeedKind.WORDS:
            early = ", given before the number above was posted: whoever runs me could have known them"
            return f"{quoted(seed.text)}{early if seed.early else ''}"
        case SeedKind.MESSAGE:
            return f"no words, so the number of the message above: `{seed.text}`"
        case SeedKind.HOUSE:
            return f"a computer, so always `{seed.text}`"
        case SeedKind.NONE:
            return f"no words, and no message was there: `{seed.text}`"


def by_hand(deal: VerifiedDeal) -> str:
    """Explain how to verify the match offline with its files."""
    return (
        "**Check it yourself:** save the files in one folder, and run this there. It needs Python 3.11 or newer; "
        f"on Windows, write `python` instead of `python3`.\n```sh\n{command(deal)}\n```"
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
    board = f", board {deal.board}" if deal.match.rules.format == "partners" else ""
    return f"Deal {deal.number}{board}"
