/** The texts of profile cards. */
export const profiles = {
  of: (name: string) => (name ? `Profile of ${name}` : "Profile"),
  you: "You",
  integration: "Integration",
  roles: {
    guest: "Guest",
    member: "Member",
    reader: "Reader",
    admin: "Admin",
    super_admin: "Super admin",
  },
  inactive: "Deactivated",
  inactiveHint: "This account can't sign in. Its messages stay.",
  imported: "Imported",
  importedHint: "Imported from another service. Hasn't signed in yet.",
  messages: "Messages from this person",
  messagesOfIntegration: "Messages from this integration",
  settings: "Edit your profile",
  manage: "Manage in administration",
};
