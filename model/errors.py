"""The one error that is shown without a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable


class RecipeError(Exception):
    """A problem that the person who runs the recipe can fix."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def run(main: Callable[[], None]) -> None:
    """Runs a command and prints a `RecipeError` as an error with a hint."""
    try:
        main()
    except RecipeError as error:
        sys.exit(f"error: {error}\nhint: {error.hint}")
