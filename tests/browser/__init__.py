"""The table in a real browser, by real pointer coordinates and real keys."""
