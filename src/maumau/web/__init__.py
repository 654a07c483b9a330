"""The table in the browser: pages, JSON API and the live socket over one view of a seat."""
