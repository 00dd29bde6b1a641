"""Rules as one frozen value, the options it consists of, and the presets."""

from bot.engine.rules.option import Option, Value
from bot.engine.rules.presets import PRESETS, VERSION, VERSIONS, Preset
from bot.engine.rules.rules import OPTIONS, Rules

__all__ = ["OPTIONS", "PRESETS", "VERSION", "VERSIONS", "Option", "Preset", "Rules", "Value"]
