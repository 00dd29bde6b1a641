"""Check the cards of a gin rummy record: python verify.py RECORD [--commit HEX] [--words SEAT=TEXT]…
HEX is the commitment in its message. TEXT is what a seat added: its player's words (each that it gave, in order), else
the id of that message, or `none` if it came too late; for a computer `house`. `ok`: all of that was given, and fits.
`wrong` (exit code 1): something differs. `consistent`: neither. Moves and dealers are not checked. See docs/fair.md."""

import argparse
import hmac
import re
from hashlib import sha256
from pathlib import Path


def shuffle(seed: bytes, event: int, players: list[str], cards: list[str]) -> list[str]:
    """Put cards into the order that a server seed and the players' seeds give them, and return them."""
    message = f"deadwood fair 1\n{event}\n" + "".join(f"{player}\n" for player in players)
    blocks = (hmac.digest(seed, f"{message}{number}".encode(), "sha256") for number in range(2**32))
    words = (int.from_bytes(block[start : start + 4], "big") for block in blocks for start in range(0, 32, 4))
    for j in range(len(cards) - 1, 0, -1):
        r = next(word for word in words if word < 2**32 - 2**32 % (j + 1)) % (j + 1)
        cards[j], cards[r] = cards[r], cards[j]
    return cards


def check(text: str, commit: str | None, words: list[tuple[int, str]]) -> tuple[str, list[str]]:
    """Return the answer, and what there is to say. Raise `LookupError` or `ValueError` if it is no such record."""
    card, head = "[A2-9TJQK][cdhs]", dict(re.findall(r'^\[(\w+) "(.*)"\]', text, re.MULTILINE)[::-1])
    boards, again, left, last = 1 + ("format=partners" in (rules := head["Rules"])), "out=reshuffle" in rules, 0, 0
    facts: list[tuple[str, object, object]] = [("commitment", (commit or head["Commit"]).lower(), head["Commit"])]
    form = r'(?a)\[\w+ "([^"\\\0-\x1f]|\\.)*"\]|;[ -~\xa1-\u2027]*|seed \d \w{64}( from=[1-9]\d*)?|reveal [1-9]\d{,4} '
    form += rf"\w{{64}}|(cut( \d={card})+|stock ({card})+) event=\d+|deal \d+ dealer=\d( seats=\d(,\d)+)?( board=2)? "
    form += rf"event=\d+ deck=({card}){{52}}|(\d [a-z]+( {card}[\w>/]*| -)*( (?=\d)|$))*"
    facts += [("a line", "as the bot prints it", line) for line in text.split("\n") if not re.fullmatch(form, line)]
    chain = {int(i): bytes.fromhex(s) for i, s in [(0, head["Commit"]), *re.findall(r"\nreveal (\d+) (\w+)", text)]}
    facts += [(f"s_{i}", chain.setdefault(i - 1, h := sha256(chain[i]).digest()), h) for i in range(max(chain), 0, -1)]
    seeds, order, pile, seats, deal, board, start = list[tuple[int, int, str]](), list[int](), [""], 0, 0, 2, -1
    for kind, *rest in (line.split() for line in text.split("\n") if line[:1].isalnum()):
        named = dict(word.split("=", 1) for word in rest if "=" in word)
        if kind == "seed":  # It counts from the next deal on if the seat has the last word, else from the one after.
            seats, seat = seats + (not order), int(rest[0])
            seeds.append((seat, deal + 2 - (deal > 0 and seat == (deal - 1) % (seats or 1)) if order else 0, rest[1]))
            facts.append((f"first deal of {rest[1]}", seeds[-1][1], int(named.get("from", 0))))
        elif kind == "reveal":
            facts.append((f"reveal {rest[0]} is due", True, last < (last := int(rest[0])) and last in order))
        elif kind in ("cut", "deal", "stock"):
            event, found = int(named.get("event", 0)), re.findall(card, " ".join(sorted(rest)))
            if kind == "deal":
                due, deal, board = (deal, 2) if board < boards else (deal + 1, 1), int(rest[0]), 1 + ("board" in named)
                facts.append((kind, (*due, sum(k[4:].isdigit() for k in head) or seats), (deal, board, seats)))
                start, players = (start, len(order))[board == 1], named.get("seats", "," * (seats - 1)).count(",") + 1
                pile = found[: players * (7 if seats > 2 and "cards_dealt=7" in rules else 10) + 1]
            due = (again - 1, max(event, order[-1] + 1)) if kind == "stock" else (max(left, 0), start + board)
            facts.append((kind, (not order and "=challenge" not in rules, *due), (kind == "cut", left, event)))
            given = [[one for who, first, one in seeds if who == seat and first <= deal][-1] for seat in range(seats)]
            cards = pile[:-1] if kind == "stock" else [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
            cards = shuffle(chain[event], event, given, cards) if event in chain else found
            facts.append((f"cards of event {event}", cards[:seats] if kind == "cut" else cards, found))
            order, pile, left = [*order, event], pile[-1:], {"deal": 50 - len(pile), "stock": len(found)}.get(kind, 0)
        for word, thrown in zip(rest, [*rest[1:], ""], strict=True):  # the discard pile: its top is taken, or it grows
            pile[len(pile) - (word == "take") :], left = [thrown] * (word == "x"), left - (word == "draw")
    facts.append(("events, stock", (list(range(1, max(len(order), *chain) + 1)), max(left, 0)), (sorted(order), left)))
    said, over = [(seat, sha256(word.encode()).hexdigest()) for seat, word in words], head.get("Result", "*") != "*"
    facts += [(f"seat {k}", [h for s, h in said if s == k], [h for s, _, h in seeds if s == k]) for k in dict(said)]
    whole = commit and {*dict(words)} == {*range(max(seats, 2))} and max(chain) >= max(1, len(order) if over else start)
    wrong = [f"{what}: expected {expected!a}, found {found!a}" for what, expected, found in facts if expected != found]
    notes = [f"{max(chain)} checked, {len(order) - max(chain)} sealed", *map(ascii, head.items()), *map(str, seeds)]
    return "wrong" if wrong else "ok" if whole else "consistent", wrong or notes


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("--commit")
    parser.add_argument("--words", type=lambda word: (int(word[:1]), word[2:]), action="append", default=[])
    options = parser.parse_args()
    try:
        answer, notes = check(options.record.read_text("utf-8-sig"), options.commit, options.words)
    except (OSError, LookupError, ValueError) as error:
        parser.error(f"this is no record to check: {error!a}")
    print(answer, *notes, sep="\n")
    raise SystemExit(answer == "wrong")
