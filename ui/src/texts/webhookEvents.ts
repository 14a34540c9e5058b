/** The events of webhooks by their type of subscription. */
export const webhookEvents = {
  WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT: "Message sent",
  WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_EDITED: "Message edited",
  WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_DELETED: "Message deleted",
  WEBHOOK_SUBSCRIPTION_TYPE_REACTION_ADDED: "Reaction added",
  WEBHOOK_SUBSCRIPTION_TYPE_REACTION_REMOVED: "Reaction removed",
  WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_READY: "Recording ready",
  WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_TRANSCRIPT_PUBLISHED: "Transcript published",
  WEBHOOK_SUBSCRIPTION_TYPE_ROOM_CREATED: "Room created",
  WEBHOOK_SUBSCRIPTION_TYPE_ROOM_UPDATED: "Room updated",
  WEBHOOK_SUBSCRIPTION_TYPE_ROOM_ARCHIVED: "Room archived",
  WEBHOOK_SUBSCRIPTION_TYPE_ROOM_DELETED: "Room deleted",
  WEBHOOK_SUBSCRIPTION_TYPE_SPACE_MEMBER_ADDED: "Space member added",
  WEBHOOK_SUBSCRIPTION_TYPE_SPACE_MEMBER_UPDATED: "Space role changed",
  WEBHOOK_SUBSCRIPTION_TYPE_SPACE_MEMBER_REMOVED: "Space member removed",
  WEBHOOK_SUBSCRIPTION_TYPE_PERSON_JOINED: "Person joined",
  WEBHOOK_SUBSCRIPTION_TYPE_PERSON_DEACTIVATED: "Person deactivated",
  WEBHOOK_SUBSCRIPTION_TYPE_PERSON_REACTIVATED: "Person reactivated",
  WEBHOOK_SUBSCRIPTION_TYPE_PERSON_REMOVED: "Person removed",
  WEBHOOK_SUBSCRIPTION_TYPE_AUDIT_ENTRY: "Audit log entry",
};

/** What the events are about, in the order of the choices. */
export const webhookEventGroups = {
  MESSAGE: "Messages",
  REACTION: "Messages",
  ROOM_RECORDING: "Recordings",
  ROOM: "Rooms",
  SPACE_MEMBER: "Access to spaces",
  PERSON: "People",
  AUDIT: "Audit log",
};

export const eventCatalogue = {
  title: "Event types",
  hint: "What webhooks send: every event with an example and the JSON Schema of its body.",
  link: "Event types",
  example: (event: string) => `Example of ${event}`,
  exampleTitle: "Example",
  schema: (event: string) => `JSON Schema of ${event}`,
  schemaTitle: "JSON Schema",
  copy: "Copy",
  copied: "Copied",
  subjects: {
    WEBHOOK_SUBJECT_TYPE_ROOM: "room",
    WEBHOOK_SUBJECT_TYPE_SPACE: "space",
    WEBHOOK_SUBJECT_TYPE_ORGANIZATION: "organization",
  },
  subscribe: (subjects: string[]) => `By ${subjects.join(" or ")}`,
  always: "No subscription",
};
