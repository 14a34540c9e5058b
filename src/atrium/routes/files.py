"""Recordings with their transcripts, attachments, and uploads."""

from atrium import permissions as may
from atrium.attachments import api as attachments
from atrium.attachments.model import ImageTooLarge
from atrium.kit.errors import BodyCut
from atrium.kit.http.responses import Header
from atrium.kit.http.route import DELETE, GET, PATCH, POST, PUT, Alternative, Route
from atrium.kit.storage import StorageUnavailable
from atrium.media.media_type import UnsupportedMedia
from atrium.media.serving import RangeNotSatisfiable
from atrium.recordings import api as recordings
from atrium.recordings.actions import NotAVideoRoom
from atrium.rooms.reach import RoomArchived
from atrium.routes.paths import ROOM
from atrium.transcripts import api as transcripts
from atrium.transcripts import vtt
from atrium.transcripts.actions import TranscriptChanged, TranscriptionUnavailable
from atrium.transcripts.forms import InvalidTranscript, vtt_from_body
from atrium.transcripts.reading import TranscriptNotFound
from atrium.tus import api as tus
from atrium.tus.headers import (
    OFFSET_STREAM,
    TUS_RESPONSE_HEADERS,
    TUS_RESUMABLE,
    UPLOAD_LENGTH,
    UPLOAD_METADATA,
    UPLOAD_OFFSET,
    WrongContentType,
    WrongTusVersion,
)
from atrium.uploads.model import EmptyFile, StorageQuotaExceeded, UploadConflict, UploadTooLarge

RECORDING = "/v2/recordings/{recording_id}"
TRANSCRIPT = RECORDING + "/transcript"
ATTACHMENT = "/v2/attachments/{attachment_id}"
UPLOAD = ROOM + "/uploads/{upload_id}"
ANY_BYTES = "application/octet-stream"

ROUTES = (
    # recordings
    Route(GET, ROOM + "/recordings", recordings.list_recordings, may.LIST_RECORDINGS),
    Route(POST, ROOM + "/recordings", recordings.create_recording, may.ADD_RECORDING, 201, receives=ANY_BYTES,
          raises=[EmptyFile, UploadTooLarge, StorageQuotaExceeded, UnsupportedMedia, UploadConflict, BodyCut,
                  StorageUnavailable, RoomArchived, NotAVideoRoom]),
    Route(GET, RECORDING, recordings.read_recording, may.READ_RECORDING),
    Route(PATCH, RECORDING, recordings.update_recording, may.CHANGE_RECORDING),
    Route(DELETE, RECORDING, recordings.delete_recording, may.CHANGE_RECORDING, 204),
    Route(GET, RECORDING + "/media", recordings.read_recording_media, may.READ_RECORDING, raises=[RangeNotSatisfiable]),
    # transcripts
    Route(GET, TRANSCRIPT, transcripts.read_transcript, may.READ_RECORDING,
          alternative=Alternative(vtt.MEDIA_TYPE, transcripts.VTT_EXAMPLE), raises=[TranscriptNotFound]),
    Route(PUT, TRANSCRIPT, transcripts.put_transcript, may.WRITE_TRANSCRIPT,
          reads_headers=[Header("If-Match", "the ETag of the version that this is based on", '"3"', required=False)],
          alternative=Alternative(vtt.MEDIA_TYPE, transcripts.VTT_EXAMPLE, read=vtt_from_body),
          raises=[InvalidTranscript, TranscriptChanged, RoomArchived]),
    Route(GET, TRANSCRIPT + "/versions", transcripts.list_transcript_versions, may.READ_RECORDING,
          raises=[TranscriptNotFound]),
    Route(DELETE, TRANSCRIPT, transcripts.delete_transcript, may.CHANGE_RECORDING, 204,
          raises=[TranscriptNotFound, RoomArchived]),
    Route(POST, RECORDING + "/transcription", transcripts.start_transcription, may.WRITE_TRANSCRIPT, 202,
          is_action=True, raises=[TranscriptionUnavailable, RoomArchived]),
    # attachments
    Route(GET, ROOM + "/attachments", attachments.list_attachments, may.READ_MESSAGES),
    Route(POST, ROOM + "/attachments", attachments.create_attachment, may.ADD_ATTACHMENT, 201, receives=ANY_BYTES,
          raises=[EmptyFile, UploadTooLarge, StorageQuotaExceeded, UploadConflict, ImageTooLarge, BodyCut,
                  StorageUnavailable, RoomArchived]),
    Route(GET, ATTACHMENT + "/content", attachments.read_attachment_content, may.READ_ATTACHMENT,
          raises=[RangeNotSatisfiable]),
    Route(GET, ATTACHMENT + "/thumbnail", attachments.read_attachment_thumbnail, may.READ_ATTACHMENT,
          raises=[RangeNotSatisfiable]),
    # resumable uploads
    Route(POST, ROOM + "/uploads", tus.create_upload, may.UPLOAD, 201, TUS_RESPONSE_HEADERS,
          reads_headers=[TUS_RESUMABLE, UPLOAD_LENGTH, UPLOAD_METADATA],
          raises=[WrongTusVersion, EmptyFile, UploadTooLarge, StorageQuotaExceeded, RoomArchived, NotAVideoRoom]),
    Route(GET, UPLOAD, tus.read_upload, may.CONTINUE_UPLOAD, 200, TUS_RESPONSE_HEADERS,
          reads_headers=[TUS_RESUMABLE], raises=[WrongTusVersion]),
    Route(PATCH, UPLOAD, tus.append_to_upload, may.CONTINUE_UPLOAD, 204, TUS_RESPONSE_HEADERS,
          receives=OFFSET_STREAM, reads_headers=[TUS_RESUMABLE, UPLOAD_OFFSET],
          raises=[WrongTusVersion, WrongContentType, UploadConflict, UnsupportedMedia, ImageTooLarge, UploadTooLarge,
                  EmptyFile, BodyCut, StorageUnavailable, RoomArchived, NotAVideoRoom]),
    Route(DELETE, UPLOAD, tus.delete_upload, may.CONTINUE_UPLOAD, 204, TUS_RESPONSE_HEADERS,
          reads_headers=[TUS_RESUMABLE], raises=[WrongTusVersion]),
)  # fmt: skip
