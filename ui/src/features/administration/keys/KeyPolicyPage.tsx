import { useQuery } from "@tanstack/react-query";
import { QueryResult } from "@/kit/layout/QueryResult";
import { keyPolicy as labels } from "@/texts/keyPolicy";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import { KeyPolicyForm } from "./KeyPolicyForm";
import { KeyTabs } from "./KeyTabs";
import { keyPolicyOf } from "./policy";

/** The rules of the organization for keys. */
export function KeyPolicyPage() {
  const { organizationId, role } = useOrganization();
  const policy = useQuery({ ...keyPolicyOf(organizationId), enabled: hasRole(role, "admin") });
  return (
    <AdministrationPage page="integrations" title={labels.title} hint={labels.hint}>
      <KeyTabs />
      <QueryResult of={policy}>{(known) => <KeyPolicyForm known={known} />}</QueryResult>
    </AdministrationPage>
  );
}
