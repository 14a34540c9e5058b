import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { showNotice } from "@/kit/overlay/notices";
import { Store, useStore } from "@/kit/data/store";
import { administration } from "@/texts/administration";
import { listMemberKeys, memberKeysOf, revokeMemberKey, type MemberKey } from "../keys/memberKeys";
import { useOrganization } from "../useOrganization";
import type { Member } from "./queries";

const labels = administration.people.workingKeys;

/** The personal keys that work again after members were reactivated. Their rows may be gone by then. */
const shown = new Store<MemberKey[]>([]);

/** Show the personal keys that work again after members were reactivated, if there are any. */
export async function showWorkingKeys(organizationId: string, members: Member[]): Promise<void> {
  const ids = members.map((each) => each.person_id);
  if (ids.length === 0) return;
  try {
    const keys = await listMemberKeys(organizationId, ids.length === 1 ? ids[0] : undefined);
    shown.set(keys.filter((each) => ids.includes(each.person_id)));
  } catch (error) {
    showNotice(messageOf(error), { isError: true });
  }
}

/** The personal keys that work again, with the offer to revoke them. */
export function WorkingKeys() {
  const { organizationId } = useOrganization();
  const keys = useStore(shown);
  const [first] = keys;
  if (!first) return null;
  const people = new Set(keys.map((each) => each.person_id)).size;
  const owner = (key: MemberKey) => (people > 1 ? `${key.person_name}: ` : "");
  const revoke = async () => {
    for (const key of keys) {
      await revokeMemberKey(organizationId, key);
      shown.update((left) => left.filter((each) => each !== key));
    }
    await queryClient.invalidateQueries({ queryKey: memberKeysOf(organizationId).queryKey });
  };
  return (
    <ConfirmDialog
      title={people > 1 ? labels.titleOfSeveral(people) : labels.title(first.person_name, keys.length)}
      action={labels.revoke}
      cancel={labels.keep}
      onConfirm={revoke}
      onClose={() => shown.set([])}
    >
      {labels.hint(keys.map((key) => `${owner(key)}${key.name} (…${key.last_four})`))}
    </ConfirmDialog>
  );
}
