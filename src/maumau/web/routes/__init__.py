"""Pages for people, the JSON API for programs; both ask the same service."""
