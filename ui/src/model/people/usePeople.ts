import { useQueries } from "@tanstack/react-query";
import { membersOf, useSpaces, type SpaceMember } from "@/model/spaces/queries";

/** Return the people and integrations of all spaces that the reader can access, each once, by name. */
export function usePeople(organizationId: string, enabled: boolean): SpaceMember[] {
  const { data: spaces } = useSpaces(organizationId);
  return useQueries({
    queries: (spaces ?? []).map((each) => ({ ...membersOf(each.space_id), enabled })),
    combine: byName,
  });
}

function byName(results: { data: SpaceMember[] | undefined }[]): SpaceMember[] {
  const members = results.flatMap((each) => each.data ?? []);
  const people = new Map(members.map((each) => [each.actor_id, each]));
  return [...people.values()].sort((a, b) => a.name.localeCompare(b.name));
}
