"""Spaces and rooms, with their messages, blocks, live events and unread state."""

from atrium import permissions as may
from atrium.attachments.model import AttachmentUnusable
from atrium.blocks import api as blocks
from atrium.blocks.limits import BlocksTooDeep, BlockTooLarge
from atrium.blocks.reach import BlockChanged, BlockNotFound
from atrium.incoming import api as incoming
from atrium.incoming.reach import IncomingWebhookNotFound
from atrium.incoming.slack import FORM, read_post
from atrium.kit.errors import Unavailable
from atrium.kit.http.idempotency import IdempotencyMismatch
from atrium.kit.http.route import DELETE, GET, PATCH, POST, PUT, Alternative, Batched, OneTimeSecret, Route
from atrium.live import api as live
from atrium.live.hub import TooManyStreams
from atrium.messages import api as messages
from atrium.messages.actions import MessageDeleted, TooManyReactions
from atrium.messages.limits import MessageTooLarge
from atrium.messages.model import Message, RoomMessageList, ThreadMessageList
from atrium.messages.reach import MessageNotFound
from atrium.messages.requests import NotAThreadRoot, RoomPageQuery, ThreadPageQuery
from atrium.organizations.reach import MemberNotFound, OrganizationNotFound
from atrium.rooms import api as rooms
from atrium.rooms.reach import RoomArchived, RoomNameTaken, RoomNotFound
from atrium.routes.paths import ORGANIZATION, ROOM, SPACE
from atrium.search import api as search
from atrium.spaces import api as spaces
from atrium.unread import api as unread

MESSAGE = ROOM + "/messages/{message_id}"
BLOCK = "/v2/blocks/{block_id}"
INCOMING_URL = OneTimeSecret("incoming_webhook", ("incoming_webhook_id",))
FORM_EXAMPLE = "payload=%7B%22text%22%3A%22Disk%20full%22%7D"

ROUTES = (
    # spaces and their members
    Route(GET, ORGANIZATION + "/spaces", spaces.list_spaces, may.LIST_SPACES),
    Route(POST, ORGANIZATION + "/spaces", spaces.create_space, may.CREATE_SPACE, 201),
    Route(GET, SPACE, spaces.read_space, may.READ_SPACE),
    Route(PATCH, SPACE, spaces.update_space, may.CHANGE_SPACE),
    Route(DELETE, SPACE, spaces.delete_space, may.CHANGE_SPACE, 204),
    Route(GET, SPACE + "/members", spaces.list_space_members, may.READ_SPACE),
    Route(PUT, SPACE + "/members/{actor_id}", spaces.put_space_member, may.MANAGE_SPACE_ACCESS,
          raises=[MemberNotFound]),
    Route(DELETE, SPACE + "/members/{actor_id}", spaces.remove_space_member, may.MANAGE_SPACE_ACCESS, 204,
          raises=[MemberNotFound]),
    # rooms
    Route(GET, "/v2/spaces/{space_id}/rooms", rooms.list_rooms, may.READ_SPACE),
    Route(POST, "/v2/spaces/{space_id}/rooms", rooms.create_room, may.CREATE_ROOM, 201, raises=[RoomNameTaken]),
    Route(GET, ROOM, rooms.read_room, may.READ_ROOM),
    Route(PATCH, ROOM, rooms.update_room, may.MANAGE_ROOM, raises=[RoomNameTaken]),
    Route(DELETE, ROOM, rooms.delete_room, may.MANAGE_ROOM, 204),
    # incoming webhooks
    Route(GET, ROOM + "/incoming-webhooks", incoming.list_incoming_webhooks, may.MANAGE_INCOMING),
    Route(POST, ROOM + "/incoming-webhooks", incoming.create_incoming_webhook, may.MANAGE_INCOMING, 201,
          shows_once=INCOMING_URL, raises=[RoomArchived]),
    Route(DELETE, ROOM + "/incoming-webhooks/{incoming_webhook_id}", incoming.revoke_incoming_webhook,
          may.MANAGE_INCOMING, 204, raises=[IncomingWebhookNotFound]),
    Route(POST, incoming.PATH + "{token}", incoming.post_to_incoming_webhook, may.ANYONE,
          alternative=Alternative(FORM, FORM_EXAMPLE, read=read_post, reads_json=True),
          raises=[IncomingWebhookNotFound, RoomArchived, IdempotencyMismatch, MessageTooLarge]),
    # messages and threads
    Route(GET, ROOM + "/messages", messages.page_of_room, may.READ_MESSAGES,
          batched=Batched(RoomMessageList, query=RoomPageQuery), reads_replica=True),
    Route(POST, ROOM + "/messages", messages.send_message, may.SEND, 201,
          batched=Batched(Message, body=messages.MessageCreate),
          raises=[MessageNotFound, RoomArchived, AttachmentUnusable, IdempotencyMismatch, MessageTooLarge]),
    Route(GET, ROOM + "/threads/{parent_id}/messages", messages.page_of_thread, may.READ_MESSAGES,
          batched=Batched(ThreadMessageList, query=ThreadPageQuery), reads_replica=True,
          raises=[MessageNotFound, NotAThreadRoot]),
    Route(GET, MESSAGE, messages.read_message, may.READ_MESSAGE),
    Route(PATCH, MESSAGE, messages.update_message, may.EDIT_MESSAGE,
          raises=[RoomArchived, MessageDeleted, MessageTooLarge]),
    Route(DELETE, MESSAGE, messages.delete_message, may.DELETE_MESSAGE, 204, raises=[MessageDeleted]),
    Route(PUT, MESSAGE + "/reactions/{emoji}", messages.put_reaction, may.REACT,
          is_concurrent=True, raises=[RoomArchived, MessageDeleted, TooManyReactions, MessageTooLarge]),
    Route(DELETE, MESSAGE + "/reactions/{emoji}", messages.remove_reaction, may.REACT, 204,
          is_concurrent=True, raises=[RoomArchived, MessageDeleted]),
    # live events
    Route(GET, "/v2/events", live.listen, may.LISTEN,
          raises=[OrganizationNotFound, RoomNotFound, TooManyStreams, Unavailable]),
    Route(POST, ROOM + "/typing", live.type_in_room, may.SEND, 204, raises=[RoomArchived]),
    # search and unread state
    Route(GET, "/v2/organizations/{organization_id}/search", search.search, may.SEARCH, reads_replica=True),
    Route(GET, "/v2/organizations/{organization_id}/unread", unread.list_unread, may.LIST_UNREAD, reads_replica=True),
    Route(GET, "/v2/organizations/{organization_id}/threads", unread.list_threads, may.LIST_UNREAD, reads_replica=True),
    Route(GET, "/v2/organizations/{organization_id}/mentions", unread.list_mentions, may.LIST_UNREAD,
          reads_replica=True),
    Route(PUT, ROOM + "/read-marker", unread.put_read_marker, may.MARK_READ,
          is_concurrent=True, raises=[MessageNotFound]),
    Route(PUT, ROOM + "/threads/{parent_id}/read-marker", unread.put_thread_read_marker, may.MARK_READ,
          is_concurrent=True, raises=[MessageNotFound, NotAThreadRoot]),
    # blocks
    Route(GET, ROOM + "/blocks", blocks.list_blocks, may.READ_MESSAGES),
    Route(POST, ROOM + "/blocks", blocks.create_block, may.WRITE_BLOCKS, 201,
          raises=[RoomArchived, BlockTooLarge, BlocksTooDeep]),
    Route(GET, BLOCK, blocks.read_block, may.READ_BLOCK),
    Route(PATCH, BLOCK, blocks.update_block, may.WRITE_BLOCK,
          raises=[BlockChanged, RoomArchived, BlockTooLarge, BlocksTooDeep]),
    Route(DELETE, BLOCK, blocks.delete_block, may.WRITE_BLOCK, 204, raises=[RoomArchived]),
    Route(POST, ROOM + "/deleted-blocks/{deleted_block_id}", blocks.restore_block, may.WRITE_BLOCKS, 201,
          raises=[BlockNotFound, RoomArchived, BlocksTooDeep]),
)  # fmt: skip
