"""Everything that checks hippocore; nothing here is installed with it."""
