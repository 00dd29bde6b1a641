"""The settings, read from the environment and from `.env`."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.hosting.settings import Settings, SettingsError, parse_address

_TOKEN = "a.planted.token"


@pytest.fixture(autouse=True)
def _clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DEADWOOD_DATABASE_URL", "DEADWOOD_LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("DEADWOOD_SANDBOX", "DEADWOOD_SANDBOX_DATABASE_URL", "DEADWOOD_SANDBOX_PORT"):
        monkeypatch.delenv(name, raising=False)
    for name in ("DEADWOOD_DISCORD_API", "DEADWOOD_DISCORD_GATEWAY", "DEADWOOD_AVATARS"):
        monkeypatch.delenv(name, raising=False)


def test_defaults() -> None:
    """By default, there is no token, the database is in the working directory, and the bot connects to Discord."""
    settings = Settings()
    assert settings.read_token() is None
    assert settings.database_url == "sqlite:///deadwood.db"
    assert (settings.discord_api, settings.discord_gateway) == (None, None)
    assert (settings.log_level, settings.sandbox) == ("INFO", "auto")
    assert (settings.sandbox_database_url, settings.sandbox_port) == ("sqlite:///sandbox.db", 8080)


def test_avatars_come_from_a_server_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Avatars come from Discord's server by default, or from another one; they can be switched off."""
    assert Settings().avatar_host == "https://cdn.discordapp.com"
    for value, host in (("http://127.0.0.1:9", "http://127.0.0.1:9"), ("off", None)):
        monkeypatch.setenv("DEADWOOD_AVATARS", value)
        assert Settings().avatar_host == host
    for value in ("on", "https://host/path", "ftp://host"):
        monkeypatch.setenv("DEADWOOD_AVATARS", value)
        with pytest.raises(ValidationError):
            Settings()


def test_the_environment_takes_precedence_over_the_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings are read from `.env`, but the environment takes precedence. Unknown names in `.env` are ignored."""
    lines = (f"DISCORD_TOKEN={_TOKEN}", "DEADWOOD_LOG_LEVEL=DEBUG", "DEADWOOD_SANDBOX=never", "OTHER=thing")
    (tmp_path / ".env").write_text("\n".join(lines))
    monkeypatch.setenv("DEADWOOD_LOG_LEVEL", "WARNING")
    settings = Settings()
    assert settings.read_token() == _TOKEN
    assert (settings.log_level, settings.sandbox) == ("WARNING", "never")


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty variable counts as unset, because Compose files pass unset variables as empty."""
    for name in ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DEADWOOD_DATABASE_URL", "DEADWOOD_LOG_LEVEL"):
        monkeypatch.setenv(name, "")
    settings = Settings()
    assert settings.read_token() is None
    assert settings.database_url == "sqlite:///deadwood.db"


def test_the_token_file_takes_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token file takes precedence over the variable. White space around the token is ignored."""
    file = tmp_path / "token"
    file.write_text(f" {_TOKEN}\n")
    file.chmod(0o640)
    monkeypatch.setenv("DISCORD_TOKEN", "another.planted.token")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    assert Settings().read_token() == _TOKEN


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\n", "is empty"), (_TOKEN.encode("utf-16"), "is not UTF-8"), (None, "No such file")],
)
def test_an_unusable_token_file_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, why: str
) -> None:
    """An unusable token file raises a one-line error that names the file and the reason, but not the file's content."""
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
        file.chmod(0o600)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    with pytest.raises(SettingsError, match=why) as refused:
        Settings().read_token()
    assert str(file) in str(refused.value)
    assert _TOKEN not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEADWOOD_LOG_LEVEL", "loud"),
        ("DEADWOOD_SANDBOX", "maybe"),
        ("DEADWOOD_DISCORD_API", "ftp://example.org"),
        ("DEADWOOD_SANDBOX_PORT", "70000"),
    ],
)
def test_invalid_values_are_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """An unknown log level or sandbox mode, an API address that is not HTTP, and an impossible port are refused."""
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        Settings()


def test_secrets_are_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printing the settings shows neither the token nor the database password."""
    monkeypatch.setenv("DISCORD_TOKEN", _TOKEN)
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", "postgresql://deadwood:opensesame@localhost/deadwood")
    settings = Settings()
    assert _TOKEN not in f"{settings!r} {settings} {settings.model_dump()}"
    assert "opensesame" not in f"{settings!r} {settings}"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("[::1]:9464", ("::1", 9464)),
        (":9464", ("127.0.0.1", 9464)),
    ],
)
def test_parse_metrics_address(text: str, address: tuple[str, int]) -> None:
    """Addresses for metrics are parsed. Without a host, only this machine can read the metrics."""
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["9464", "somewhere", "host:70000", "::1:9464", ""])
def test_invalid_metrics_addresses_are_refused(text: str) -> None:
    """An invalid address for metrics is an error that shows a valid one."""
    with pytest.raises(ValueError, match=r"127\.0\.0\.1:9464"):
        parse_address(text)
