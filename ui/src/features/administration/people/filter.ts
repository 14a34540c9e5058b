import { ROLES, type Role } from "../useOrganization";
import type { Member } from "./queries";

export const STATES = ["active", "imported", "deactivated"] as const;
export type State = (typeof STATES)[number];

/**
 * The filter of the list of people. The state and the role are part of the URL, so a view can be bookmarked and
 * shared.
 */
export interface PeopleFilter {
  find?: string;
  state?: State;
  role?: Role;
}

/** Return the filter in a URL. */
export function peopleFilterOf(given: { state?: unknown; role?: unknown }): Omit<PeopleFilter, "find"> {
  const state = STATES.find((each) => each === given.state);
  const role = ROLES.find((each) => each === given.role);
  return { ...(state && { state }), ...(role && { role }) };
}

/**
 * Return a person's state. An imported person who has never signed in is `imported`, even if the membership is
 * active.
 */
export function stateOf({ imported, active }: Pick<Member, "imported" | "active">): State {
  if (imported) return "imported";
  return active ? "active" : "deactivated";
}

/** Return the members that a filter chooses: active ones first, by name. */
export function filterMembers({ find, state, role }: PeopleFilter, members: readonly Member[]): Member[] {
  const words = (find ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return members
    .filter((each) => {
      const haystack = `${each.name} ${each.email ?? ""}`.toLocaleLowerCase();
      const isFound = words.every((word) => haystack.includes(word));
      return isFound && (!state || stateOf(each) === state) && (!role || each.role === role);
    })
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

const rank = (member: Member): number => STATES.indexOf(stateOf(member));

export const countIn = (state: State, members: readonly Member[]): number =>
  members.filter((each) => stateOf(each) === state).length;
