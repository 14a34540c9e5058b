import { useState } from "react";
import { queryClient } from "@/api/queryClient";
import { runForEach, type Outcome } from "@/kit/data/runForEach";
import { organizationsKey } from "@/model/queryKeys";
import { useOrganization } from "../useOrganization";
import { invitationsOf, membersOf, type Member } from "./queries";

export interface Progress {
  done: number;
  of: number;
}

/** Run a change for several members, then read the lists again. `progress` is null while none runs. */
export function useBulkChange() {
  const { organizationId } = useOrganization();
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = async <R>(
    members: Member[],
    change: (member: Member) => Promise<R>,
  ): Promise<Outcome<Member, R>[]> => {
    try {
      return await runForEach(members, change, (done) => setProgress({ done, of: members.length }));
    } finally {
      setProgress(null);
      for (const { queryKey } of [membersOf(organizationId), invitationsOf(organizationId)])
        void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries({ queryKey: organizationsKey() });
    }
  };
  return { run, progress };
}
