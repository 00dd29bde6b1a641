"""The settings, read once from the environment (or `.env`) into a frozen object."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, StringConstraints
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.files.private_files import require_private
from bot.model.shards import Shards

ENV_FILE: Final = Path(".env")
NO_AVATARS: Final = "off"

_ADDRESS: Final = re.compile(r"(?:\[(?P<ipv6>[^\]]+)\]|(?P<host>[^:\[\]]*)):(?P<port>[0-9]{1,5})")


class SettingsError(Exception):
    """A setting cannot be used. The message names it and the reason, in one line."""


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and port of an address such as `127.0.0.1:9464` or `[::1]:9464`.

    Raise `ValueError` if the text is not such an address.
    """
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match["port"]) > 65535:
        raise ValueError("write an address and a port, such as 127.0.0.1:9464")
    return match["ipv6"] or match["host"] or "127.0.0.1", int(match["port"])


class Settings(BaseSettings):
    """All settings.

    The representation hides the token and the databases' addresses, which may contain passwords.
    """

    model_config = SettingsConfigDict(
        env_prefix="DEADWOOD_",
        env_file=ENV_FILE,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        # Defaults need no validation, and `Shards.parse` and `parse_address` cannot parse None.
        validate_default=False,
    )

    token: SecretStr | None = Field(default=None, validation_alias=AliasChoices("DISCORD_TOKEN"))
    token_file: Path | None = Field(default=None, validation_alias=AliasChoices("DISCORD_TOKEN_FILE"))
    database_url: Annotated[str, Field(repr=False)] = "sqlite:///deadwood.db"
    discord_api: Annotated[str, StringConstraints(pattern="^https?://")] | None = None
    discord_gateway: Annotated[str, StringConstraints(pattern="^wss?://")] | None = None
    avatars: Annotated[str, StringConstraints(pattern="^(off|https?://[^/]+)$")] = "https://cdn.discordapp.com"
    shards: Annotated[Shards | None, NoDecode, BeforeValidator(Shards.parse)] = None
    metrics: Annotated[tuple[str, int] | None, NoDecode, BeforeValidator(parse_address)] = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    sandbox: Literal["auto", "never"] = "auto"
    sandbox_database_url: Annotated[str, Field(repr=False)] = "sqlite:///sandbox.db"
    sandbox_port: Annotated[int, Field(ge=0, le=65535)] = 8080

    def read_token(self) -> str | None:
        """Return the bot's token from the token file if one is set, otherwise from the environment; None if not set.

        Raise `SettingsError` if the file is unreadable or empty, and `PrivateFileError` if it is world-readable.
        """
        if self.token_file is None:
            return (self.token.get_secret_value().strip() or None) if self.token is not None else None
        try:
            require_private(self.token_file)
            token = self.token_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"DISCORD_TOKEN_FILE: cannot read {self.token_file}: {_reason(error)}") from None
        if not token:
            raise SettingsError(f"DISCORD_TOKEN_FILE: {self.token_file} is empty")
        return token

    @property
    def avatar_host(self) -> str | None:
        """The server from which avatars are downloaded; None if none are to be."""
        return None if self.avatars == NO_AVATARS else self.avatars

    @property
    def files(self) -> list[Path]:
        """The files that the bot reads when it starts, including missing ones."""
        files = [ENV_FILE, self.token_file]
        if "PGPASSFILE" in os.environ:
            files.append(Path(os.environ["PGPASSFILE"]))
        return [file for file in files if file is not None]


def read_settings() -> Settings:
    """Return the settings. Raise `SettingsError` if `.env` is unreadable, `ValidationError` for an invalid value."""
    try:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read {ENV_FILE}: {_reason(error)}") from None


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
