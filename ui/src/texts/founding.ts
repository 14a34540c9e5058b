export const founding = {
  title: "Set up Atrium",
  more: "This server is empty. Name your organization and make the account that runs it; others come by invitation.",
  organization: "Name of the organization",
  organizationMore: "It can be changed later.",
  create: "Create organization",
  empty: "This server is empty",
  emptyMore:
    "Open the link that “atrium serve” printed when it started, or run “atrium init” on the machine that it runs on.",
};
