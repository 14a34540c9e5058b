import { count } from "./count";

/** The texts of an organization's key policy. */
export const keyPolicy = {
  title: "Key policy",
  hint: "Rules for all keys of the organization. New keys must fit immediately, existing ones from the date that you choose.",
  lifetime: "Maximum lifetime in days",
  lifetimeHint: "From the creation or rotation of a key until it expires. Leave empty for any time.",
  personal: "Personal keys",
  personalHint: "Whose personal keys have access to this organization.",
  personalKeys: { allowed: "Everyone's", admins: "Only those of admins", none: "No one's" },
  networks: "Keys must be limited to networks",
  networksHint:
    "A key that is copied then works only from your own servers. Networks wider than /8 (IPv4) or /16 (IPv6) do not count.",
  from: "Applies to existing keys from",
  fromHint:
    "Keys that don't fit stop on this day (UTC). Leave empty for 30 days from now. Looser rules apply immediately.",
  save: "Save policy",
  saved: "Policy saved",
  preview: "What this policy changes",
  noRules: "Without a rule, all keys work.",
  allFit: "All keys fit these rules",
  unfit: (ofIntegrations: number, personal: number) =>
    [
      ...(ofIntegrations > 0 ? [count(ofIntegrations, "key of an integration", "keys of integrations")] : []),
      ...(personal > 0 ? [count(personal, "personal key", "personal keys")] : []),
    ].join(" and ") + (ofIntegrations + personal === 1 ? " doesn't fit" : " don't fit"),
  stopNow: "They stop when you save the policy.",
  stopAt: (date: string) => `They stop on ${date}, unless they fit by then.`,
  haveStopped: "They have stopped. Programs that use them get 403.",
  stopped: "Stopped",
  stops: "Stops immediately",
  onlyFirst: (shown: number) => `The list shows the ${shown.toLocaleString()} that were used last.`,
  reasons: {
    max_lifetime: "Lives longer than allowed",
    personal_keys: "Personal key not allowed",
    networks: "Not limited to networks",
  },
  ask: "Save this policy?",
  askNow: (keys: number) =>
    `${count(keys, "key stops", "keys stop")} immediately. Programs that use them lose access.`,
  askLater: (keys: number, date: string) =>
    `${count(keys, "key stops", "keys stop")} on ${date}, unless changed before. Programs that use them then lose access.`,
};
