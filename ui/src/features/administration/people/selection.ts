import { useState } from "react";
import type { Member } from "./queries";

/** Return the members that are selected, of those that can be. */
export function useSelection(members: Member[], canSelect: (member: Member) => boolean) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const possible = members.filter(canSelect);
  return {
    possible,
    chosen: possible.filter((each) => ids.has(each.person_id)),
    has: (member: Member) => ids.has(member.person_id),
    choose: (chosen: readonly Member[]) => setIds(new Set(chosen.map((each) => each.person_id))),
    toggle: (member: Member) => {
      const next = new Set(ids);
      if (!next.delete(member.person_id)) next.add(member.person_id);
      setIds(next);
    },
  };
}
