import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { ConfirmDialog } from "@/kit/ConfirmDialog";
import { showNotice } from "@/kit/notices";
import { Store, useStore } from "@/kit/store";
import { administration } from "@/texts/administration";
import { listMemberKeys, memberKeysOf, revokeMemberKey, type MemberKey } from "../keys/memberKeys";
import { useOrganization } from "../useOrganization";
import type { Member } from "./queries";

const labels = administration.people.workingKeys;

/** A member who was reactivated, and the personal keys that work again. The row of the member may be gone by then. */
const shown = new Store<{ member: Member; keys: MemberKey[] } | null>(null);

/** Show the personal keys that work again after a member was reactivated, if there are any. */
export async function showWorkingKeys(organizationId: string, member: Member): Promise<void> {
  try {
    shown.set({ member, keys: await listMemberKeys(organizationId, member.person_id) });
  } catch (error) {
    showNotice(messageOf(error), { isError: true });
  }
}

/** The personal keys that work again, with the offer to revoke them. */
export function WorkingKeys() {
  const { organizationId } = useOrganization();
  const now = useStore(shown);
  if (!now || now.keys.length === 0) return null;
  const { member, keys } = now;
  const revoke = async () => {
    for (const key of keys) {
      await revokeMemberKey(organizationId, key);
      shown.update((left) => left && { ...left, keys: left.keys.filter((each) => each !== key) });
    }
    await queryClient.invalidateQueries({ queryKey: memberKeysOf(organizationId).queryKey });
  };
  return (
    <ConfirmDialog
      title={labels.title(member.name, keys.length)}
      action={labels.revoke}
      cancel={labels.keep}
      onConfirm={revoke}
      onClose={() => shown.set(null)}
    >
      {labels.more(keys.map((key) => `${key.name} (…${key.last_four})`))}
    </ConfirmDialog>
  );
}
