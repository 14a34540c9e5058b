/** The texts of the administration's page of imports. */
const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString()} ${n === 1 ? one : many}`;

export const imports = {
  title: "Import",
  more: "Import people, public channels, threads and reactions from a Slack export. Importing again adds only what's new.",
  guide: "How to export from Slack",
  space: "Space",
  spaceMore: "Channels become rooms of this space, which all its members can read.",
  choose: "Choose export",
  notZip: "This isn't a zip file. Choose the file as you downloaded it from Slack.",
  list: "Imports",
  none: "No exports uploaded yet",
  noneMore:
    "Choose the zip file of an export. Atrium checks it and shows what's new before it imports anything.",
  states: {
    uploading: "Uploading",
    checking: "Checking",
    ready: "Ready to import",
    importing: "Importing",
    done: "Completed",
    failed: "Failed",
    canceled: "Canceled",
  },
  into: (space: string) => `Into ${space}`,
  progress: (name: string) => `Progress of ${name}`,
  sent: (sent: string, size: string) => `${sent} of ${size}`,
  elsewhere: "To continue an upload that was interrupted, choose the same file again.",
  preparing: "Preparing",
  imported: (done: number, total: number) =>
    `${done.toLocaleString()} of ${count(total, "message", "messages")}`,
  counts: { people: "People", bots: "Bots", rooms: "Rooms", messages: "Messages" },
  kind: "Content",
  isNew: "New",
  added: "Added",
  known: "Already in Atrium",
  nothingNew: "Everything in this export is already in Atrium.",
  notYet: "Nothing is imported yet.",
  start: "Start import",
  startOne: (name: string) => `Start import of ${name}`,
  cancel: "Cancel",
  cancelQuestion: "This stops the import and deletes the uploaded file. What was imported so far stays.",
  canceledNotice: "Import canceled",
  again: "Try again",
  failedUpload: (name: string, why: string) => `Couldn't upload ${name}: ${why}`,
};
