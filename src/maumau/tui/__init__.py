"""In a terminal: the table, as the same view of a seat as the page and the JSON, and a record step by step."""
