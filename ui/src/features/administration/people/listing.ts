import { administration } from "@/texts/administration";
import { filterMembers, countIn, stateOf, type PeopleFilter } from "./filter";
import type { Member } from "./queries";

/** Return the heading of the list: the members by state, or the number of those that a filter chooses. */
export function countOf(filter: PeopleFilter, members: readonly Member[]): string {
  const labels = administration.people;
  if (filter.find?.trim() || filter.state || filter.role)
    return labels.membersFound(filterMembers(filter, members).length, members.length);
  const imported = countIn("imported", members);
  return labels.members(countIn("active", members)) + (imported ? labels.importedToo(imported) : "");
}

/** Return the people as rows of a table, with a heading. */
export function toRows(members: readonly Member[]): string[][] {
  const { columns, states } = administration.people;
  return [
    columns,
    ...members.map((each) => [
      each.name,
      each.email ?? "",
      administration.roles[each.role],
      states[stateOf(each)],
      each.created_at,
    ]),
  ];
}
