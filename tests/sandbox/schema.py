"""A check of the bot's requests against Discord's published OpenAPI description, if that file is present."""

import json
import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, cast

from jsonschema_rs import Draft202012, Draft202012Validator, Registry, ValidationError, ValidationErrorKind

from bot.sandbox import Request

Json = dict[str, Any]

_URI = "urn:discord"


def openapi_path() -> Path:
    """Return the path of Discord's description: `DISCORD_OPENAPI`, or by default a file next to the checkout."""
    named = os.environ.get("DISCORD_OPENAPI")
    return Path(named) if named else Path(__file__).parents[3] / "shared" / "discord-openapi.json"


class Description:
    """Discord's OpenAPI description, with a validator for each schema in it."""

    def __init__(self, path: Path) -> None:
        self.document: Json = json.loads(path.read_text(encoding="utf-8"))
        # discord.py sends many snowflakes as JSON integers, which Discord accepts.
        self.document["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
        self._registry = Registry([(_URI, self.document)], draft=Draft202012)
        self._validators: dict[str, Draft202012Validator] = {}
        # Literal paths come before templates, because `@original` also matches `{message_id}`.
        self._routes = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))), template)
            for template in sorted(self.document["paths"], key=lambda text: (text.count("{"), text))
        ]

    def find_template(self, path: str) -> str | None:
        """Return the description's path template that matches a path, or None."""
        return next((template for pattern, template in self._routes if pattern.fullmatch(path)), None)

    def find_error(self, pointer: str, value: object) -> str | None:
        """Validate a value against the schema at a JSON pointer. Return the path and reason of an error, or None."""
        if pointer not in self._validators:
            schema = {"$ref": f"{_URI}#{pointer}"}
            self._validators[pointer] = Draft202012Validator(schema, registry=self._registry)
        validator = self._validators[pointer]
        if validator.is_valid(value):
            return None
        cause = _best_error(next(validator.iter_errors(value)))
        return f"{'/'.join(map(str, cause.instance_path)) or '(body)'}: {cause.message[:300]}"


_load_description = lru_cache(Description)


@dataclass(slots=True)
class SchemaCheck:
    """An observer of requests (`sandbox.journal.observers.append(check.observe)`) that lists their `problems`."""

    description: Description
    checked: int = 0
    problems: list[str] = field(default_factory=list[str])

    @classmethod
    def load(cls, path: Path) -> Self:
        """Create a check from Discord's description. Raises `OSError` if the file cannot be read."""
        return cls(_load_description(path))

    def observe(self, request: Request) -> None:
        """Check the path, the query and the body of a request."""
        template = self.description.find_template(request.path)
        operation: Json | None = self.description.document["paths"].get(template, {}).get(request.method.lower())
        if template is None or operation is None:
            self.problems.append(f"{request.method} {request.path}: not in the description")
            return
        self.checked += 1
        pointer = f"/paths/{_escape(template)}/{request.method.lower()}"
        self._check_query(request, pointer, operation)
        if request.payload is not None:
            self._check_body(request, pointer, operation)

    def check_answer(self, request: Request) -> None:
        """Check the answer to a successful request."""
        template = self.description.find_template(request.path)
        assert template is not None
        pointer = f"/paths/{_escape(template)}/{request.method.lower()}/responses/{request.status}"
        self.checked += 1
        # Encode and decode the answer, so that only the JSON types that are sent are checked, not Python's own types.
        sent = json.loads(json.dumps(request.answer))
        self._validate(request, f"{pointer}/content/{_escape('application/json')}/schema", sent)

    def _check_query(self, request: Request, pointer: str, operation: Json) -> None:
        known = {row["name"]: (number, row) for number, row in enumerate(operation.get("parameters", []))}
        for name, text in request.query.items():
            if name not in known or known[name][1]["in"] != "query":
                self.problems.append(f"{request.method} {request.route}: unknown query parameter {name}")
                continue
            self._validate(
                request, f"{pointer}/parameters/{known[name][0]}/schema", _parse_parameter(text, known[name][1])
            )

    def _check_body(self, request: Request, pointer: str, operation: Json) -> None:
        content: Json = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            self.problems.append(f"{request.method} {request.route}: takes no body")
            return
        schema = f"{pointer}/requestBody/content/{_escape('application/json')}/schema"
        self._validate(request, schema, request.payload)

    def _validate(self, request: Request, pointer: str, value: object) -> None:
        fault = self.description.find_error(pointer, value)
        if fault is not None:
            self.problems.append(f"{request.method} {request.route}: {fault}")


def _best_error(error: ValidationError) -> ValidationError:
    """Return the error that best explains why a value fits no branch of a union.

    That is the deepest error in the branches for the value's type. The unions in Discord's description have no
    discriminator, so the validator reports the errors of all branches.
    """
    branches = cast("list[list[ValidationError]]", getattr(error.kind, "context", []))
    matching = [branch for branch in branches if all(_is_matching_branch(error, inner) for inner in branch)]
    causes = [_best_error(inner) for branch in matching or branches for inner in branch]
    return max(causes, key=lambda cause: len(cause.instance_path), default=error)


def _is_matching_branch(union: ValidationError, error: ValidationError) -> bool:
    # A branch for another JSON type, or for another `type` of component, does not match.
    path = error.instance_path[len(union.instance_path) :]
    return path != ["type"] and (path != [] or not isinstance(error.kind, ValidationErrorKind.Type))


def _escape(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _parse_parameter(text: str, parameter: Json) -> object:
    kind = parameter["schema"].get("type")
    if kind == "boolean" and text in ("0", "1", "true", "false"):
        return text in ("1", "true")
    if kind == "integer" and text.isdecimal():
        return int(text)
    return text
