"""Started by a worker; no command for people."""

from mergegate.host.runner.slot.answering import main

if __name__ == "__main__":
    main()
