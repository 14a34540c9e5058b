/** The texts of managing rooms and of who is in a space, loaded with their menus, panels and dialogs. */
export const managing = {
  menu: (room: string) => `Actions for ${room}`,
  details: "Room details",
  edit: "Edit name and description",
  editOne: (room: string) => `Edit ${room}`,
  descriptionMore: "What this room is for. Everyone sees it at the top.",
  taken: "This space already has a room with this name.",
  archive: "Archive room",
  archived: (room: string) => `${room} is archived. Nobody can write in it.`,
  unarchive: "Restore room",
  unarchived: (room: string) => `${room} is open again.`,
  undo: "Undo",
  delete: "Delete room",
  deleteOne: (room: string) => `Delete ${room}?`,
  deleteMore:
    "This deletes its messages, files, recordings and page for everyone. It can't be undone. To keep them readable, archive the room instead.",
  deleted: (room: string) => `${room} was deleted.`,
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
