"""Started by a worker; no command for people."""

from mergegate.cli.slot.answering import main

if __name__ == "__main__":
    main()
