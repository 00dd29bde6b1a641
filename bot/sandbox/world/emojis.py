"""The emojis that the bot's application owns."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji of the bot's application. Renaming creates a new object with the same picture."""

    id: int
    name: str
    content: bytes = field(repr=False)
    content_type: str
    animated: bool = False

    def __str__(self) -> str:
        """Return the emoji's markup in a message."""
        return f"<{'a' if self.animated else ''}:{self.name}:{self.id}>"
