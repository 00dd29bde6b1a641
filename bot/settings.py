"""The settings, read once from the environment (or `.env`) into a frozen value."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, SecretStr, StringConstraints
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsError(Exception):
    """A setting that cannot be used; the message says which and why, in one line."""


class Settings(BaseSettings):
    """Everything a host can set. The token never shows in a representation."""

    model_config = SettingsConfigDict(
        env_prefix="DEADWOOD_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    token: SecretStr | None = Field(default=None, validation_alias=AliasChoices("DISCORD_TOKEN"))
    token_file: Path | None = Field(default=None, validation_alias=AliasChoices("DISCORD_TOKEN_FILE"))
    database_url: str = "sqlite:///deadwood.db"
    discord_api: Annotated[str, StringConstraints(pattern="^https?://")] | None = None
    discord_gateway: Annotated[str, StringConstraints(pattern="^wss?://")] | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    sandbox: Literal["auto", "never"] = "auto"

    def read_token(self) -> str | None:
        """Return the bot's token: from its file where one is named, else from the environment; None if there is none.

        Raise `SettingsError` if the file cannot be read, is empty, or everyone may read it.
        """
        if self.token_file is None:
            return (self.token.get_secret_value().strip() or None) if self.token is not None else None
        try:
            mode = self.token_file.stat().st_mode
            token = self.token_file.read_text().strip()
        except OSError as error:
            raise SettingsError(f"DISCORD_TOKEN_FILE: cannot read {self.token_file}: {error.strerror}") from None
        if mode & 0o004:
            raise SettingsError(f"DISCORD_TOKEN_FILE: {self.token_file} is readable by everyone; run chmod o-r on it")
        if not token:
            raise SettingsError(f"DISCORD_TOKEN_FILE: {self.token_file} is empty")
        return token
