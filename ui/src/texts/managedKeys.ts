import { count } from "./count";

/** The texts of the pages on which admins oversee keys. */
export const managedKeys = {
  pages: "Kinds of keys",
  tabs: { integrations: "Keys of integrations", personal: "Personal keys" },
  personalMore:
    "Keys that members created for their own programs. Each can access what its person can, in all of their organizations.",
  nonePersonal: "No personal keys",
  nonePersonalMore: "Members create them in their settings.",
  revoked: (key: string, person: string) => `Revoked ${key} of ${person}`,
  revokeMore: (person: string) =>
    `The key stops working immediately, in all organizations that ${person} belongs to. ${person} can create another; to prevent that, deactivate the account. This can't be undone.`,
  keys: (keys: number) => count(keys, "key", "keys"),
  found: (found: number, of: number) => `${found.toLocaleString()} of ${count(of, "key", "keys")}`,
  filters: "Filter keys",
  find: "Search keys",
  states: {
    unused: "Unused for 90 days",
    ending: "Expires soon",
    expired: "Expired",
    full: "Full access",
  },
  tags: { unused: "Unused", ending: "Expires soon", expired: "Expired" },
  statesMore: {
    unused: "Not used in the last 90 days, and created before that",
    ending: "Expires in the next 14 days",
    expired: "Has expired, and can be renewed",
    full: "Not limited to scopes",
  },
  byScope: "Scope",
  anyScope: "Any scope",
  scopeMore: "Keys with full access include every scope.",
  byPerson: "Person",
  anyPerson: "Anyone",
  sortBy: "Sort by",
  orders: {
    name: "By name",
    used: "Least recently used first",
    "-used": "Most recently used first",
    ends: "Next to expire first",
    created: "Oldest first",
    "-created": "Newest first",
  },
  none: "No keys match",
  clear: "Clear filters",
  columns: {
    name: "Name",
    access: "Access",
    used: "Last used",
    ends: "Expires",
    created: "Created",
  },
  full: "Full access",
  scopes: (scopes: number) => count(scopes, "scope", "scopes"),
  networks: (networks: number) => count(networks, "network", "networks"),
  never: "Never",
  actions: "Actions",
};
