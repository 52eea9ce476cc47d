"""What cannot be used."""


def shown(file: str) -> str:
    """The name of a file to print: what is no text in it is replaced."""
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in file)


class InputError(ValueError):
    """A file, array or option that cannot be used.

    Attributes
    ----------
    file : str
        The file, as `os.fsdecode()` has its name, or "".
    element : str
        The array and the entry to blame, as in ``"positions, vertex 12"``, or "".
    reason : str
        What is wrong with it.
    """

    def __init__(self, file: str, element: str, reason: str):
        super().__init__(": ".join(part for part in (shown(file), element, reason) if part))
        self.file, self.element, self.reason = file, element, reason

    def __reduce__(self):
        return InputError, (self.file, self.element, self.reason)
