import { useQuery } from "@tanstack/react-query";
import { isExpired } from "@/model/keys/limits";
import { showNotice } from "@/kit/overlay/notices";
import { useChange } from "@/kit/data/useChange";
import { KeyMenu } from "@/model/keys/KeyMenu";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { managedKeys as labels } from "@/texts/managedKeys";
import { membersOf } from "../people/queries";
import { assignableBy, useOrganization } from "../useOrganization";
import { KeyRow } from "./KeyRow";
import { memberKeysOf, revokeMemberKey, type MemberKey } from "./memberKeys";
import { useKeyAudit } from "./useKeyAudit";

/** A personal key in the table, with its person. Only super admins can revoke the keys of admins. */
export function MemberKeyRow({ known }: { known: MemberKey }) {
  const { organizationId, role } = useOrganization();
  const onAudit = useKeyAudit(known.api_key_id);
  const { data: members = [] } = useQuery(membersOf(organizationId));
  const owner = members.find((each) => each.person_id === known.person_id);
  const revoke = useChange({
    change: () => revokeMemberKey(organizationId, known),
    invalidates: [memberKeysOf(organizationId).queryKey],
    done: () => showNotice(labels.revoked(known.name, known.person_name)),
    handlesErrors: true,
  });
  return (
    <KeyRow
      known={known}
      picture={<ActorAvatar organizationId={organizationId} actorId={known.person_id} size={32} />}
      title={<bdi>{known.person_name}</bdi>}
      more={
        <>
          <bdi>{known.name}</bdi> · <code>atrp_…{known.last_four}</code>
        </>
      }
    >
      {owner && assignableBy(role).includes(owner.role) && (
        <KeyMenu
          name={`${known.person_name}, ${known.name}`}
          hasExpired={isExpired(known, new Date())}
          revokeMore={labels.revokeMore(known.person_name)}
          onAudit={onAudit}
          onRevoke={() => revoke.mutateAsync()}
        />
      )}
    </KeyRow>
  );
}
