"""Rules as one frozen value, the options it consists of, and the presets."""

from bot.engine.rules.option import Menu, Option, Text, Value
from bot.engine.rules.presets import PRESETS, Preset
from bot.engine.rules.rules import OPTIONS, Rules

__all__ = ["OPTIONS", "PRESETS", "Menu", "Option", "Preset", "Rules", "Text", "Value"]
