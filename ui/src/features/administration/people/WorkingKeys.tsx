import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "@/kit/ConfirmDialog";
import { administration } from "@/texts/administration";
import { listMemberKeys, memberKeysOf, revokeMemberKey, type MemberKey } from "../keys/memberKeys";
import { useOrganization } from "../useOrganization";
import type { Member } from "./queries";

const labels = administration.people.workingKeys;

/** The personal keys that work again after a member was reactivated, with the offer to revoke them. */
export function useWorkingKeys(member: Member) {
  const { organizationId } = useOrganization();
  const client = useQueryClient();
  const [keys, setKeys] = useState<MemberKey[]>([]);
  const revoke = async () => {
    for (const key of keys) await revokeMemberKey(organizationId, key);
    await client.invalidateQueries({ queryKey: memberKeysOf(organizationId).queryKey });
  };
  return {
    show: async () => setKeys(await listMemberKeys(organizationId, member.person_id)),
    dialog: keys.length > 0 && (
      <ConfirmDialog
        title={labels.title(member.name, keys.length)}
        action={labels.revoke}
        cancel={labels.keep}
        onConfirm={revoke}
        onClose={() => setKeys([])}
      >
        {labels.more(keys.map((key) => `${key.name} (…${key.last_four})`))}
      </ConfirmDialog>
    ),
  };
}
