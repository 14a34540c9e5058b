/** The texts of managing rooms and of who is in a space, loaded with their menus, panels and dialogs. */
export const managing = {
  menu: (room: string) => `Actions for ${room}`,
  details: "Room details",
  incoming: "Incoming webhooks",
  edit: "Edit name and description",
  editOne: (room: string) => `Edit ${room}`,
  descriptionHint: "Shown at the top of the room.",
  taken: "This space already has a room with this name.",
  archive: "Archive room",
  archived: (room: string) => `Archived ${room}. It's now read-only.`,
  unarchive: "Restore room",
  unarchived: (room: string) => `Restored ${room}.`,
  undo: "Undo",
  delete: "Delete room",
  deleteOne: (room: string) => `Delete ${room}?`,
  deleteHint:
    "This deletes its messages, files, recordings and page for everyone. This can't be undone. To keep them readable, archive the room instead.",
  deleted: (room: string) => `Deleted ${room}.`,
};

export const details = {
  title: "Details",
  close: "Close details",
  about: "About",
  noDescription: "No description yet",
  created: (date: string) => `Created ${date}`,
  createdBy: "by",
  archivedOn: (date: string) => `Archived ${date}`,
  members: (members: number) => `Members (${members.toLocaleString()})`,
  files: "Files",
  noFiles: "No files yet. Files from messages and the page appear here.",
  showMessage: (name: string) => `Show ${name} in the conversation`,
  showPage: (name: string) => `Show ${name} on the page`,
};

export const spacePeople = {
  menu: (space: string) => `Actions for the space ${space}`,
  people: "People",
  title: (space: string) => `People in ${space}`,
  find: "Find people",
  nobody: "No one found",
  added: (people: number) => `Added to this space (${people.toLocaleString()})`,
  inherited: (people: number) => `Have access through the organization (${people.toLocaleString()})`,
  roles: { admin: "Admin", member: "", reader: "Can read" },
  archived: (rooms: number) => `Archived rooms (${rooms.toLocaleString()})`,
  archivedTitle: (space: string) => `Archived rooms of ${space}`,
  manage: "Manage space",
};
