/** The texts of what a key may do, and where it may be used. */
export const keyLimits = {
  access: "Access",
  full: "Everything that you can do",
  fullOfIntegration: "Everything that the integration can do",
  chosen: "Only what you choose",
  scopes: "Scopes",
  scopesHint: "Nothing else. You can take scopes away later, but not add any.",
  scopesNarrowHint: "You can take scopes away, but not add any. For more access, create another key.",
  scope: {
    "messages:read": "Read messages, pages, attachments and live events",
    "messages:write": "Send, edit and delete messages, react, edit pages",
    "rooms:manage": "Create, change and delete spaces and rooms",
    "webhooks:read": "View webhooks and their logs",
    "webhooks:manage": "Create, change, test and delete webhooks",
    "members:manage": "List members, change roles, add people to spaces",
    directory: "Provision people and groups through SCIM",
    "audit:read": "Read and export the audit log and the overview",
    "recordings:read": "Play recordings and read transcripts",
    "recordings:write": "Add, change and delete recordings and transcripts",
    search: "Search",
  },
  networks: "Allowed networks",
  networksHint:
    "Where the key can be used, such as 203.0.113.0/24, 2001:db8::/32. Leave empty for everywhere.",
  networksNeeded:
    "Where the key can be used, such as 203.0.113.0/24, 2001:db8::/32. Your organization requires networks.",
  only: (scopes: string) => `Only ${scopes}`,
  from: (networks: string) => `Only from ${networks}`,
};
