"""The error of a person who tries what their client does not offer."""


class NotOfferedError(Exception):
    """A person tried something that the real client would not offer. The message says what, and why not."""
