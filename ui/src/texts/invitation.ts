/** The texts of the page of an invitation. */
export const invitation = {
  join: (organization: string) => `Join ${organization}`,
  invitedBy: (name: string | null) => (name === null ? "You're invited as" : `${name} invited you as`),
  invitedAs: (role: string, until: string) => `Role: ${role} · Expires ${until}`,
  roles: {
    guest: "Guest",
    member: "Member",
    reader: "Reader",
    admin: "Admin",
    super_admin: "Super admin",
  },
  newAccount: "Choose your display name and a password to create your account.",
  newAccountNamed: (name: string) =>
    `You'll join as ${name}; you can change the name later. Choose a password for your account.`,
  joinAs: (name: string) => `You're signed in as ${name}.`,
  joinOtherwise: (name: string, own: string, email: string) =>
    `You're signed in as ${name} (${own}), but the invitation is for ${email}. Join with this account, or sign out to use the other.`,
  joinSigningIn: (email: string) => `${email} already has an account. Sign in to join with it.`,
  signInToJoin: "Sign in to join",
  signOutToJoin: (email: string) => `Sign out and join as ${email}`,
  haveAccount: "Already have an account?",
  closed: {
    accepted: {
      title: "This invitation has already been used",
      hint: (email: string) => `If you accepted it, sign in as ${email}.`,
    },
    expired: { title: "This invitation has expired", hint: () => "" },
    revoked: { title: "This invitation was revoked", hint: () => "" },
  },
  closedOf: (organization: string) => `It was for ${organization}.`,
  askAgain: (name: string | null) => `Ask ${name ?? "an admin"} for a new one if you need it.`,
  unknownInvitation: "This invitation link doesn't work",
  unknownInvitationHint:
    "Check that you copied the whole link, or ask the person who invited you for a new one.",
};
