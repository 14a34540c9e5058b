import { Alert, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { useChange } from "@/kit/data/useChange";
import { administration } from "@/texts/administration";
import { IntegrationList } from "../integrations/IntegrationList";
import { createIntegration, keysOf, showKey } from "../integrations/queries";
import { Section } from "../Section";
import { hasRole, useOrganization } from "../useOrganization";

const labels = administration.directory;

/** The keys for provisioning: those of integrations with the role Admin. */
export function DirectoryKeys() {
  const { organizationId, role } = useOrganization();
  const keys = useQuery({ ...keysOf(organizationId), enabled: hasRole(role, "admin") });
  const create = useChange({
    change: () =>
      createIntegration(organizationId, {
        name: labels.keyName,
        description: labels.keyDescription,
        organization_role: "admin",
        spaces: [],
      }),
    invalidates: [keysOf(organizationId).queryKey],
    done: showKey,
  });
  const action = role === "super_admin" && (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Plus size={15} aria-hidden />}
      loading={create.isPending}
      onClick={() => create.mutate()}
    >
      {labels.createKey}
    </Button>
  );
  return (
    <Section title={labels.keys} hint={labels.keysHint} action={action}>
      {role !== "super_admin" && (
        <Alert color="gray" mb="sm">
          {labels.askSuperAdmin}
        </Alert>
      )}
      <QueryResult of={keys}>
        {(all) => {
          const own = all.filter((each) => hasRole(each.organization_role, "admin"));
          return (
            <>
              <IntegrationList label={labels.keys} keys={own} />
              {own.length === 0 && (
                <EmptyState icon={<KeyRound size={22} aria-hidden />} title={labels.noKeys} />
              )}
            </>
          );
        }}
      </QueryResult>
    </Section>
  );
}
