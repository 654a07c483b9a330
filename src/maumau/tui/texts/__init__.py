"""What the terminal says itself; everything about rules comes with the view."""
