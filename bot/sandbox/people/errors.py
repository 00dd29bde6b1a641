"""The error raised for actions that a person's client does not offer."""


class NotOfferedError(Exception):
    """A person tried something that the real client would not offer. The message gives the reason."""
