import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Blocks, Plus } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { KeyTabs } from "../keys/KeyTabs";
import { hasRole, useOrganization } from "../useOrganization";
import { IncomingRooms } from "./IncomingRooms";
import { IntegrationList } from "./IntegrationList";
import { IntegrationDialog } from "./IntegrationDialog";
import { keysOf, type Shown } from "./queries";

const labels = administration.integrations;
const page = administration.pages.integrations;

/** The organization's integrations and their keys. */
export function IntegrationsPage() {
  const { organizationId, role } = useOrganization();
  const keys = useQuery({ ...keysOf(organizationId), enabled: hasRole(role, "admin") });
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const action = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {labels.create}
    </Button>
  );
  return (
    <AdministrationPage {...page} needs="admin" action={action}>
      <KeyTabs />
      <QueryResult of={keys}>
        {(all) => (
          <>
            <IntegrationList label={page.title} keys={all} isFiltered shown={shown} onShow={setShown} />
            {all.length === 0 && (
              <EmptyState icon={<Blocks size={22} aria-hidden />} title={labels.none}>
                {labels.noneMore}
              </EmptyState>
            )}
          </>
        )}
      </QueryResult>
      <IncomingRooms />
      {isCreating && (
        <IntegrationDialog
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setShown(created);
          }}
        />
      )}
    </AdministrationPage>
  );
}
