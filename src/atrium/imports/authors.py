"""The people and bots of an export, each by the best name that the export has."""

import re
from dataclasses import replace

from atrium.imports.slack import Author, ExportedMessage, unknown_user
from atrium.kit.text.types import first_name
from atrium.slack.model import text_of

LABELLED = re.compile(r"<@(?P<user>[A-Z0-9]+)\|(?P<label>[^<>|\n]+)>")


class Authors:
    """Collect them while the messages are read: users.json does not list everyone."""

    def __init__(self) -> None:
        self._listed: dict[str, Author] = {}
        self._met: dict[str, Author] = {}
        self._labels: dict[str, str] = {}  # as mentions call people, and as other messages call a bot

    def add_listed(self, user: Author) -> bool:
        """Add a user of users.json; return whether it is the first with its id."""
        is_first = user.key not in self._listed
        self._listed[user.key] = user
        return is_first

    def add(self, message: ExportedMessage) -> None:
        """Add the author of a message and those who reacted to it, and remember what it calls people."""
        author = message.author
        known = self._met.setdefault(author.key, author)
        if is_nameless(known) and not is_nameless(author):
            self._met[author.key] = author
        for reaction in message.reactions:
            for user in reaction.users:
                self._met.setdefault(user, unknown_user(user))
        bot, slash, name = author.key.partition("/")
        if slash and bot and name:
            self._labels.setdefault(f"{bot}/", name)
        for user, label in LABELLED.findall(text_of(message.content.text)):
            self._labels.setdefault(user, label)

    def named(self) -> dict[str, Author]:
        """Return all of them by their keys."""
        return {key: self._named(author) for key, author in (self._met | self._listed).items()}

    def _named(self, author: Author) -> Author:
        if not is_nameless(author):
            return author
        met = self._met.get(author.key, author)
        candidates = (None if is_nameless(met) else met.name, self._labels.get(author.key))
        return replace(author, name=first_name(*candidates, otherwise=author.name))


def is_nameless(author: Author) -> bool:
    """Return whether an author is called by the id only."""
    return author.name == author.id_as_name
