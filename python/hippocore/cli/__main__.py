"""`python -m hippocore.cli` is the same program as `hippocore`."""

from hippocore.cli import main

if __name__ == "__main__":
    main()
