"""What type checkers see also runs."""

import typed


def test_what_is_typed_runs() -> None:
    typed.main()
