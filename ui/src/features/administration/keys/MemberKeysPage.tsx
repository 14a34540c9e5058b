import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { managedKeys as labels } from "@/texts/managedKeys";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import type { Listed } from "./filter";
import { KeyListing } from "./KeyListing";
import { KeyTabs } from "./KeyTabs";
import { memberKeysOf, type MemberKey } from "./memberKeys";
import { MemberKeyRow } from "./MemberKeyRow";

/** The personal keys of the organization's members. */
export function MemberKeysPage() {
  const { organizationId, role } = useOrganization();
  const keys = useQuery({ ...memberKeysOf(organizationId), enabled: hasRole(role, "admin") });
  return (
    <AdministrationPage title={labels.tabs.personal} more={labels.personalMore} needs="admin">
      <KeyTabs />
      <QueryResult of={keys}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<KeyRound size={22} aria-hidden />} title={labels.nonePersonal}>
              {labels.nonePersonalMore}
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
