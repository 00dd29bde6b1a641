"""Check the cards of a gin rummy record: python verify.py RECORD [--commit HEX] [--words SEAT=TEXT]…
HEX is the commitment in its message. TEXT is what a seat added: its player's words (each that it gave, in order), else
the id of that message; for a computer `house`. The answer is `ok` if all of that was given and fits, `wrong` (exit code
1) if something differs, else `consistent`: something was not given, or not revealed. Exit code 2: no such record.
Whether moves are legal is not checked. docs/fair.md explains each step."""

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
    headers = dict(re.findall(r'^\[(\w+) "(.*)"\]', text, re.MULTILINE))
    facts: list[tuple[str, object, object]] = [("commitment", (commit or headers["Commit"]).lower(), headers["Commit"])]
    server = {0: bytes.fromhex(headers["Commit"])}
    server |= {int(event): bytes.fromhex(seed) for event, seed in re.findall(r"\nreveal (\d{1,5}) (\w{64})", text)}
    facts.append(("order of reveals", sorted(server), list(server)))
    for event in range(max(server), 0, -1):
        below = sha256(server[event]).digest()
        facts.append((f"hash of server seed {event}", server.setdefault(event - 1, below).hex(), below.hex()))
    seeds, events, pile, seats, deal, board, start = list[tuple[int, int, str]](), list[int](), list[str](), 0, 0, 1, 0
    for kind, *rest in (line.partition(";")[0].split() for line in text.split("\n") if line[:1].isalnum()):
        options = dict(word.split("=", 1) for word in rest if "=" in word)
        if kind == "seed":  # It counts from the next deal on if the seat has the last word, else from the one after.
            seats, seat = seats + (not events), int(rest[0])
            seeds.append((seat, deal + 2 - (deal > 0 and seat == (deal - 1) % (seats or 1)) if events else 0, rest[1]))
            facts.append((f"first deal of {rest[1]}", seeds[-1][1], int(options.get("from", 0))))
        elif kind in ("cut", "deal", "stock"):
            event, found = int(options["event"]), re.findall("[A2-9TJQK][cdhs]", options.get("deck", " ".join(rest)))
            facts.append(("a cut", not events and "first_dealer=challenge" not in headers["Rules"], kind == "cut"))
            if kind == "deal":
                due, deal, board = [(deal, board + 1), (deal + 1, 1)], int(rest[0]), int(options.get("board", 1))
                facts.append((f"deal {deal} on board {board} is due", True, (deal, board) in due))
                start = len(events) if board == 1 else start
                players = len(options["seats"].split(",")) if "seats" in options else seats
                pile = found[: players * (7 if seats > 2 and "cards_dealt=7" in headers["Rules"] else 10) + 1]
            facts.append(("number", max(event, events[-1] + 1) if kind == "stock" else start + board, event))
            given = [[one for who, first, one in seeds if who == seat and first <= deal][-1] for seat in range(seats)]
            cards = pile[:-1] if kind == "stock" else [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
            cards = shuffle(server[event], event, given, cards) if event in server else found
            facts.append((f"cards of event {event}", cards[:seats] if kind == "cut" else cards, found))
            events, pile = [*events, event], pile[-1:]
        for word, card in zip(rest, [*rest[1:], ""], strict=True):  # the discard pile: its top is taken, or it grows
            pile = pile[:-1] if word == "take" else pile + [card] * (word == "x")
    facts.append(("numbers of the events", list(range(1, max(len(events), *server) + 1)), sorted(events)))
    said = [(seat, sha256(word.encode()).hexdigest()) for seat, word in words]
    facts += [(f"seat {k}", [h for s, h in said if s == k], [h for s, _, h in seeds if s == k]) for k in dict(said)]
    out = len(events) if headers.get("Result", "*") != "*" else start if deal > 1 else 1  # so many seeds must be known
    whole = commit and dict(words).keys() == {*range(seats)} and max(server) >= max(out, 1)
    wrong = [f"{what}: expected {expected}, found {found}" for what, expected, found in facts if expected != found]
    notes = [f"{max(server)} checked, {len(events) - max(server)} sealed", *map(str, headers.items()), *map(str, seeds)]
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
        parser.error(f"this is no record to check: {error!r}")
    print(answer, *notes, sep="\n")
    raise SystemExit(answer == "wrong")
