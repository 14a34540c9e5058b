import { ROLES, type Role } from "../useOrganization";
import type { Member } from "./queries";

export const STATES = ["active", "imported", "deactivated"] as const;
export type State = (typeof STATES)[number];

/** Which people to list. The state and the role stand in the address, so that a view can be kept and shared. */
export interface PeopleFilter {
  find?: string;
  state?: State;
  role?: Role;
}

/** The filter in a URL. */
export function peopleFilterOf(given: { state?: unknown; role?: unknown }): Omit<PeopleFilter, "find"> {
  const state = STATES.find((each) => each === given.state);
  const role = ROLES.find((each) => each === given.role);
  return { ...(state && { state }), ...(role && { role }) };
}

/** The state of a person. Who was imported and has not signed in is not active, whether or not they may be. */
export function stateOf({ imported, active }: Pick<Member, "imported" | "active">): State {
  if (imported) return "imported";
  return active ? "active" : "deactivated";
}

/** The members that a filter chooses: active ones first, by name. */
export function chosenBy({ find, state, role }: PeopleFilter, members: readonly Member[]): Member[] {
  const wanted = (find ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return members
    .filter((each) => {
      const labels = `${each.name} ${each.email ?? ""}`.toLocaleLowerCase();
      const isFound = wanted.every((word) => labels.includes(word));
      return isFound && (!state || stateOf(each) === state) && (!role || each.role === role);
    })
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

const rank = (member: Member): number => STATES.indexOf(stateOf(member));

export const countIn = (state: State, members: readonly Member[]): number =>
  members.filter((each) => stateOf(each) === state).length;
