"""Command line of the training program."""

from bot.opponent.training.training import main

main()
