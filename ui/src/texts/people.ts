import { count } from "./count";

const states = { active: "Active", imported: "Imported", deactivated: "Deactivated" };

export const firstSteps = {
  title: "Get started",
  progress: (done: number, all: number) => `${done} of ${all} done`,
  hide: "Hide",
  done: "Done",
  steps: {
    invite: {
      title: "Invite people",
      hint: "Paste their addresses; each gets a link to join.",
      action: "Invite",
    },
    rooms: { title: "Create rooms", hint: "One for each topic, team or project.", action: "Create room" },
    import: {
      title: "Import from Slack",
      hint: "Channels, people, threads and reactions, from an export file.",
      action: "Import",
      read: "Learn how",
    },
    webhook: {
      title: "Connect a webhook",
      hint: "Send new messages to your own systems.",
      action: "Set up",
    },
    notifications: {
      title: "Turn on notifications",
      hint: "On this computer, for mentions or all messages.",
      action: "Turn on",
    },
  },
};

export const people = {
  invite: "Invite",
  invitePeople: "Invite people",
  addresses: "Email addresses",
  addressesHint: "Separate several with commas, spaces or new lines.",
  people: (people: number) => count(people, "person", "people"),
  repeated: (addresses: number) => `${count(addresses, "duplicate", "duplicates")} skipped`,
  wrongAddresses: (wrong: string[]) =>
    `Not an email address: ${wrong.slice(0, 3).join(", ")}${wrong.length > 3 ? ", …" : ""}`,
  spacesOfGuest: "Guests see only the spaces you add them to.",
  spacesOfMember:
    "Members can already access open spaces. Add them to private ones, or give them a higher role.",
  notAdded: "Not added",
  openTo: "Has access (open)",
  sendInvitations: (people: number) =>
    people > 1 ? `Send ${people.toLocaleString()} invitations` : "Send invitation",
  createInvitations: (people: number) =>
    people > 1 ? `Create ${people.toLocaleString()} invitations` : "Create invitation",
  inviting: (now: number, all: number) => `Inviting ${now.toLocaleString()} of ${all.toLocaleString()}…`,
  find: "Search by name or email",
  nobody: "No members found",
  role: "Organization role",
  roleMeans: {
    guest: "Sees only the spaces they're added to.",
    member: "Can access open spaces and the private spaces they're added to.",
    reader: "A member who can also view the administration.",
    admin: "Manages people, spaces, integrations and webhooks; admin of every space.",
    super_admin: "An admin who can also appoint admins.",
  },
  roleOf: (name: string) => `Role of ${name}`,
  you: "You",
  filters: "Filter people",
  byStatus: "Filter by status",
  byRole: "Filter by role",
  anyStatus: "Any status",
  anyRole: "Any role",
  states,
  stateCount: (state: "active" | "imported" | "deactivated", people: number): string =>
    `${states[state]} (${people.toLocaleString()})`,
  notSignedIn: "Never signed in",
  importedToo: (people: number) => ` · ${people.toLocaleString()} imported`,
  export: "Download CSV",
  columns: ["Name", "Email address", "Role", "Status", "Joined"],
  selection: "Selected people",
  select: (name: string) => `Select ${name}`,
  selectAll: (people: number) => `Select all ${people.toLocaleString()}`,
  selected: (people: number) => `${people.toLocaleString()} selected`,
  clearSelection: "Clear",
  changing: (now: number, all: number) => `Updating ${now.toLocaleString()} of ${all.toLocaleString()}…`,
  changedAll: (people: number) => `Updated ${count(people, "person", "people")}`,
  changeRole: "Change role",
  changeRoleOf: (people: number) => `Change the role of ${count(people, "person", "people")}`,
  deactivateAll: (people: number) =>
    `This signs ${count(people, "person", "people")} out everywhere and disables their personal API keys. Their messages stay.`,
  refused: (refused: number, all: number) =>
    `${refused.toLocaleString()} of ${count(all, "person", "people")} couldn't be updated`,
  closeResults: "Close",
  isInvited: "Invited",
  invitedCount: (sent: number, all: number) =>
    sent === all
      ? `Invited ${count(all, "person", "people")}`
      : `Invited ${sent.toLocaleString()} of ${count(all, "person", "people")}`,
  copyLinkOf: (email: string) => `Copy link for ${email}`,
  copyLinks: "Copy all links",
  linksCopied: (links: number) => `${count(links, "link", "links")} copied`,
  noAddress: "No email address",
  headings: { joined: "Joined", role: "Role" },
  members: (active: number) => count(active, "active member", "active members"),
  membersFound: (found: number, all: number) =>
    `${found.toLocaleString()} of ${count(all, "member", "members")}`,
  invitations: "Invitations",
  waiting: (invitations: number) => count(invitations, "pending invitation", "pending invitations"),
  addedTo: (spaces: number) => (spaces > 0 ? ` · ${count(spaces, "space", "spaces")}` : ""),
  invitedUntil: (date: string, until: string) => `Invited ${date} · Expires ${until}`,
  invitedHint:
    "We've emailed the links. You can also share them yourself: each is shown only once, works once and expires in 14 days.",
  invitedStored:
    "This server doesn't send email, so share the links yourself. Each works once and expires in 14 days. You can also copy them from Email.",
  actionsFor: (name: string) => `Actions for ${name}`,
  personalKeys: "Personal keys",
  signInLink: "Create sign-in link",
  signInLinkTitle: (name: string) => `Sign-in link for ${name}`,
  signInLinkHint: (name: string) =>
    `This server doesn't send email, so give the link to ${name} yourself. It works once, within 30 minutes.`,
  noSignInLink: (name: string) =>
    `${name} also belongs to another organization, so the link isn't shown to you. On the server, “atrium people sign-in-link” creates one.`,
  sendAgain: "Send again",
  sendAgainHint:
    "A new invitation is created for the next 14 days. The link in the earlier one stops working.",
  revoke: "Revoke",
  revokeHint: "The link in the invitation stops working.",
  changed: (name: string, active: boolean | undefined) =>
    active === undefined
      ? `Changed the role of ${name}`
      : `${active ? "Reactivated" : "Deactivated"} ${name}`,
  deactivate: "Deactivate",
  deactivateHint:
    "This signs them out everywhere and disables their personal API keys, which work again if you reactivate them. Their messages stay.",
  ask: {
    deactivate: (name: string) => `Deactivate ${name}?`,
    remove: (name: string) => `Remove ${name}?`,
    sendAgain: (email: string) => `Invite ${email} again?`,
    revoke: (email: string) => `Revoke the invitation of ${email}?`,
  },
  reactivate: "Reactivate",
  workingKeys: {
    title: (name: string, keys: number) =>
      keys === 1 ? `${name}'s API key works again` : `${name}'s API keys work again`,
    titleOfSeveral: (people: number) => `API keys of ${people} people work again`,
    hint: (keys: string[]) => `Created before the account was deactivated: ${keys.join(", ")}.`,
    revoke: "Revoke",
    keep: "Keep",
  },
  remove: "Remove",
  removeHint: "This removes them from the organization and all its spaces. Their messages stay.",
  removed: (name: string) => `Removed ${name}`,
};
