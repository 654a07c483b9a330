"""The table in a terminal: the same view of a seat as the page and the JSON, in text."""
