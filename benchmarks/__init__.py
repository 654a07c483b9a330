"""The speed and strength tables: ``make bench``."""
