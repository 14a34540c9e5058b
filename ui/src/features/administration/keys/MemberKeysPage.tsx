import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useChange } from "@/kit/data/useChange";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { showNotice } from "@/kit/overlay/notices";
import { KeyMenu } from "@/model/keys/KeyMenu";
import { isExpired } from "@/model/keys/limits";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { managedKeys as labels } from "@/texts/managedKeys";
import { AdministrationPage } from "../AdministrationPage";
import { membersOf } from "../people/queries";
import { hasRole, useOrganization, assignableBy } from "../useOrganization";
import type { Listed } from "./filter";
import { KeyListing } from "./KeyListing";
import { KeyRow } from "./KeyRow";
import { KeyTabs } from "./KeyTabs";
import { memberKeysOf, type MemberKey, revokeMemberKey } from "./memberKeys";
import { useKeyAudit } from "./useKeyAudit";

/** The personal keys of the organization's members. */
export function MemberKeysPage() {
  const { organizationId, role } = useOrganization();
  const keys = useQuery({ ...memberKeysOf(organizationId), enabled: hasRole(role, "admin") });
  return (
    <AdministrationPage page="integrations" title={labels.tabs.personal} hint={labels.personalHint}>
      <KeyTabs />
      <QueryResult of={keys}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<KeyRound size={22} aria-hidden />} title={labels.nonePersonal}>
              {labels.nonePersonalHint}
            </EmptyState>
          ) : (
            <KeyListing
              label={labels.tabs.personal}
              all={all.map(listedOf)}
              people={peopleIn(all)}
              renderRow={(known) => <MemberKeyRow key={known.api_key_id} known={known} />}
            />
          )
        }
      </QueryResult>
    </AdministrationPage>
  );
}

const listedOf = (known: MemberKey): Listed<MemberKey> => ({
  known,
  names: [known.person_name, known.name],
  person: known.person_id,
});

/** Return the people who have keys, by name. */
function peopleIn(keys: MemberKey[]): { id: string; name: string }[] {
  const names = new Map(keys.map((each) => [each.person_id, each.person_name]));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}

/** A personal key in the table, with its person. Only super admins can revoke the keys of admins. */
function MemberKeyRow({ known }: { known: MemberKey }) {
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
      details={
        <>
          <bdi>{known.name}</bdi> · <code>atrp_…{known.last_four}</code>
        </>
      }
    >
      {owner && assignableBy(role).includes(owner.role) && (
        <KeyMenu
          name={`${known.person_name}, ${known.name}`}
          hasExpired={isExpired(known, new Date())}
          revokeHint={labels.revokeHint(known.person_name)}
          onAudit={onAudit}
          onRevoke={() => revoke.mutateAsync()}
        />
      )}
    </KeyRow>
  );
}
