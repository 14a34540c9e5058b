/** The texts of profile cards. */
export const profiles = {
  of: (name: string) => (name ? `Profile of ${name}` : "Profile"),
  you: "You",
  app: "App",
  roles: {
    guest: "Guest",
    member: "Member",
    reader: "Reader",
    admin: "Admin",
    super_admin: "Super admin",
  },
  inactive: "Deactivated",
  inactiveMore: "This account can't sign in. Its messages stay.",
  imported: "Imported",
  importedMore: "Came with imported history and hasn't signed in yet.",
  messages: "Messages from this person",
  messagesOfApp: "Messages from this app",
  settings: "Edit your profile",
  manage: "Manage in administration",
};
