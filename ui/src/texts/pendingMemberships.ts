/** The texts of organizations that added the person, and wait for an answer. */
export const pendingMemberships = {
  part: {
    title: "Organizations that added you",
    hint: "Nothing about your account changes until you accept. Then you belong to the organization, its key policy applies to your API keys, and its admins see what they are called. If your email address has never been verified, accepting also revokes your keys, removes your password and signs out your other sessions.",
  },
  since: (when: string) => `Added you ${when}`,
  accept: "Accept",
  acceptOf: (name: string) => `Accept ${name}`,
  accepted: (name: string) => `You joined ${name}`,
  decline: "Decline",
  declineOf: (name: string) => `Decline ${name}`,
  declined: (name: string) => `Declined ${name}`,
};
