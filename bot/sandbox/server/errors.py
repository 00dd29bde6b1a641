"""Discord's error responses: an HTTP status, a JSON error code and a message."""

from bot.sandbox.world.json_values import Json

# (HTTP status, message) by JSON error code. Source: Discord's API reference, "Opcodes and Status Codes".
KNOWN_CODES: dict[int, tuple[int, str]] = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20009: (403, "Explicit content cannot be sent to the desired recipient(s)"),
    20016: (400, "This action cannot be performed due to slowmode rate limit"),
    20028: (429, "The channel you are writing has hit the write rate limit"),
    20029: (429, "The write action you are performing on the server has hit the write rate limit"),
    30008: (400, "Maximum number of emojis reached"),
    30033: (400, "Maximum number of thread participants has been reached (1000)"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    40001: (401, "Unauthorized"),
    40003: (403, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large"),
    40058: (403, "Cannot message this thread until after the post author has sent an initial message"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50045: (400, "File uploaded exceeds the maximum size"),
    50046: (400, "Invalid file uploaded"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50146: (400, "Uploaded file not found."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160002: (403, "You cannot reply without permission to read message history"),
    160004: (400, "A thread has already been created for this message"),
    160005: (400, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
    160007: (400, "Maximum number of active announcement threads reached"),
    200000: (400, "Message was blocked by automatic moderation"),
    200001: (400, "Title was blocked by automatic moderation"),
    240000: (400, "Message blocked by harmful links filter"),
    400001: (403, "Uploading files to this server is limited"),
}

VIA_HEADER = "1.1 google"


class RefusalError(Exception):
    """A request that Discord would refuse.

    `errors` is the nested explanation of code 50035. `is_global` is True for the global rate limit.
    """

    def __init__(
        self,
        code: int,
        *,
        status: int | None = None,
        message: str | None = None,
        errors: Json | None = None,
        retry_after: float | None = None,
        is_global: bool = False,
    ) -> None:
        known_status, known_message = KNOWN_CODES.get(code, (400, "Unknown error"))
        self.code = code
        self.status = status or known_status
        self.message = message or known_message
        self.errors = errors
        self.is_global = is_global
        self.retry_after = 1.0 if retry_after is None and self.status == 429 else retry_after
        super().__init__(f"{self.status} ({self.code}): {self.message} {self.errors or ''}".strip())

    @property
    def body(self) -> Json:
        """The JSON body of the response."""
        body: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": self.is_global}
        return body

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the response. A 429 from Discord has a Via header; a 429 from its proxy does not."""
        if self.retry_after is None:
            return {}
        global_headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"} if self.is_global else {}
        return {"Via": VIA_HEADER, "Retry-After": str(int(self.retry_after) + 1)} | global_headers


def rate_limited(retry_after: float, *, is_global: bool = False) -> RefusalError:
    """Create the error for a request that exceeds a rate limit."""
    message = "You are being rate limited."
    return RefusalError(0, status=429, message=message, retry_after=retry_after, is_global=is_global)


def unauthorized() -> RefusalError:
    """Create the error for a wrong or missing token."""
    return RefusalError(0, status=401, message="401: Unauthorized")


class FormErrors:
    """The errors in a request body, in the nested format of error 50035, "Invalid Form Body"."""

    def __init__(self) -> None:
        self.errors: Json = {}

    def add(self, path: tuple[str | int, ...], code: str, message: str) -> None:
        """Add an error about the field at `path`."""
        node = self.errors
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def check_length(self, path: tuple[str | int, ...], value: object, minimum: int, maximum: int) -> None:
        """Add an error if a text is missing, or its length is not between `minimum` and `maximum` characters."""
        if not isinstance(value, str):
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not minimum <= len(value) <= maximum:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {minimum} and {maximum} in length.")

    def check_count(self, path: tuple[str | int, ...], size: int, minimum: int, maximum: int) -> None:
        """Add an error if the size of a list is not between `minimum` and `maximum`."""
        if not minimum <= size <= maximum:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {minimum} and {maximum} in length.")

    def raise_if_any(self) -> None:
        """Raise `RefusalError` 50035 if there are errors."""
        if self.errors:
            raise RefusalError(50035, errors=self.errors)
