"""The route table: every method and path with its handler, its permission, and all else that is true of the route."""

from atrium.routes import account, directory, files, organizations, rooms

ROUTES = (*account.ROUTES, *organizations.ROUTES, *rooms.ROUTES, *directory.ROUTES, *files.ROUTES)
