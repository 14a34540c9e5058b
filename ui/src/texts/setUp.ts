export const setUp = {
  title: "Set up Atrium",
  hint: "Create your organization and its first account. You can invite others later.",
  organization: "Organization name",
  organizationHint: "You can change it later.",
  create: "Create organization",
  empty: "This server isn't set up yet",
  emptyHint: "Open the link that “atrium serve” printed when it started, or run “atrium init” on the server.",
};
