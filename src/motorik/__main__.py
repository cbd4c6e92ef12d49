"""The command `motorik`: `studio`, `run`, `show`, `gallery`."""

from motorik.view.studio.command import main

if __name__ == "__main__":
    raise SystemExit(main())
