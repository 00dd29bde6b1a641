"""Checks what the bot sends against Discord's published OpenAPI description, where that file is present."""

import json
import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, cast

from jsonschema import Draft202012Validator, exceptions, validators
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bot.sandbox import Request

Json = dict[str, Any]

_URI = "urn:discord"


def openapi_path() -> Path:
    """Tell where Discord's description is: `DISCORD_OPENAPI`, else beside the checkout."""
    named = os.environ.get("DISCORD_OPENAPI")
    return Path(named) if named else Path(__file__).parents[3] / "shared" / "discord-openapi.json"


class Description:
    """Discord's description, read once for all that is checked against it."""

    def __init__(self, path: Path) -> None:
        self.document: Json = json.loads(path.read_text(encoding="utf-8"))
        # discord.py writes many snowflakes as JSON integers, which Discord accepts.
        snowflake: Json = self.document["components"]["schemas"]["SnowflakeType"]
        snowflake["type"] = ["string", "integer"]
        resource: Resource[Any] = Resource(contents=self.document, specification=DRAFT202012)
        registry: Registry[Any] = Registry()
        self._registry = registry.with_resource(_URI, resource)
        self._validator = _validator(self.document)
        self._validators: dict[str, Any] = {}
        self._fitting: set[tuple[str, str]] = set()
        # Literal paths come before templates: `@original` would also fit `{message_id}`.
        self._routes = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))), template)
            for template in sorted(self.document["paths"], key=lambda text: (text.count("{"), text))
        ]

    def template(self, path: str) -> str | None:
        """The path as the description has it."""
        return next((template for pattern, template in self._routes if pattern.fullmatch(path)), None)

    def fault(self, pointer: str, value: object) -> Any | None:
        """The fault of a value that is worth telling most. The same value at the same place is looked at once."""
        seen = pointer, json.dumps(value, sort_keys=True)
        if seen in self._fitting:
            return None
        if pointer not in self._validators:
            reference = {"$ref": f"{_URI}#{pointer}"}
            self._validators[pointer] = self._validator(reference, registry=self._registry)
        error = cast(Any, exceptions).best_match(self._validators[pointer].iter_errors(value))
        if error is None:
            self._fitting.add(seen)
        return error


_read = lru_cache(Description)


@dataclass(slots=True)
class SchemaCheck:
    """Observes requests (`sandbox.journal.observers.append(check.observe)`) and lists what is wrong in `problems`."""

    description: Description
    checked: int = 0
    problems: list[str] = field(default_factory=list[str])

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the description; raise `OSError` where there is none."""
        return cls(_read(path))

    def observe(self, request: Request) -> None:
        """Check one request's path, query and body."""
        template = self.description.template(request.path)
        operation: Json | None = self.description.document["paths"].get(template, {}).get(request.method.lower())
        if template is None or operation is None:
            self.problems.append(f"{request.method} {request.path}: not in the description")
            return
        self.checked += 1
        where = f"/paths/{_escape(template)}/{request.method.lower()}"
        self._check_query(request, where, operation)
        if request.payload is not None:
            self._check_body(request, where, operation)

    def _check_query(self, request: Request, where: str, operation: Json) -> None:
        known = {row["name"]: (number, row) for number, row in enumerate(operation.get("parameters", []))}
        for name, text in request.query.items():
            if name not in known or known[name][1]["in"] != "query":
                self.problems.append(f"{request.method} {request.route}: unknown query parameter {name}")
                continue
            self._validate(request, f"{where}/parameters/{known[name][0]}/schema", _coerced(text, known[name][1]))

    def _check_body(self, request: Request, where: str, operation: Json) -> None:
        content: Json = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            self.problems.append(f"{request.method} {request.route}: takes no body")
            return
        pointer = f"{where}/requestBody/content/{_escape('application/json')}/schema"
        self._validate(request, pointer, request.payload)

    def _validate(self, request: Request, pointer: str, value: object) -> None:
        error = self.description.fault(pointer, value)
        if error is not None:
            self.problems.append(f"{request.method} {request.route}: {error.json_path}: {error.message[:300]}")


def _validator(document: Json) -> Any:
    """Make a validator that picks the branch of a union by `type`.

    The unions have no discriminator: without this a failure is explained by a branch that was never meant, and each
    level of nested components is tried against all of them.
    """
    schemas: Json = document["components"]["schemas"]

    def kinds(branch: Json) -> list[object]:
        target = schemas.get(branch.get("$ref", "").rpartition("/")[2], branch)
        return target.get("properties", {}).get("type", {}).get("enum", [])

    def union(keyword: str) -> Any:
        plain = cast(Any, Draft202012Validator).VALIDATORS[keyword]

        def choose(validator: Any, branches: list[Json], instance: Any, schema: Json) -> Any:
            kind = cast(Json, instance).get("type") if isinstance(instance, dict) else None
            fitting = [branch for branch in branches if kind is not None and kind in kinds(branch)]
            if len(fitting) == 1:
                yield from validator.descend(instance, fitting[0])
            else:
                yield from plain(validator, branches, instance, schema)

        return choose

    return cast(Any, validators).extend(Draft202012Validator, {word: union(word) for word in ("anyOf", "oneOf")})


def _escape(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _coerced(text: str, parameter: Json) -> object:
    kind = parameter["schema"].get("type")
    if kind == "boolean" and text in ("0", "1", "true", "false"):
        return text in ("1", "true")
    if kind == "integer" and text.isdecimal():
        return int(text)
    return text
