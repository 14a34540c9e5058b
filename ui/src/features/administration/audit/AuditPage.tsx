import { Button, Group } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, X } from "lucide-react";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { useOrganization } from "../useOrganization";
import { AuditForm } from "./AuditForm";
import { EntryList } from "./EntryList";
import { auditFiltersOf, exportUrl, FORMATS, type AuditFilters } from "./filters";
import { auditLogOf } from "./queries";

const labels = administration.audit;

/** The audit log. */
export function AuditPage() {
  const { organizationId } = useOrganization();
  const filters = auditFiltersOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const log = useInfiniteQuery(auditLogOf(organizationId, filters));
  const choose = (search: AuditFilters) =>
    void navigate({ to: "/o/$organizationId/administration/audit", params: { organizationId }, search });
  const action = FORMATS.map((format) => (
    <Button
      key={format}
      component="a"
      href={exportUrl(organizationId, filters, format)}
      download={`audit-log.${format}`}
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
    >
      {labels.export[format]}
    </Button>
  ));
  return (
    <AdministrationPage page="audit" action={action}>
      <AuditForm key={JSON.stringify(filters)} filters={filters} onChoose={choose} />
      <ChosenFilters filters={filters} onChoose={choose} />
      <InfiniteList of={log}>
        {(pages) => <EntryList entries={pages.flatMap((each) => each.entries)} onChoose={choose} />}
      </InfiniteList>
    </AdministrationPage>
  );
}

interface Props {
  filters: AuditFilters;
  onChoose: (filters: AuditFilters) => void;
}

/** The filters that have no field in the form, and a button that clears all filters. */
function ChosenFilters({ filters, onChoose }: Props) {
  if (Object.keys(filters).length === 0) return null;
  return (
    <Group gap="xs" mb="sm" role="status">
      {filters.target && <span>{labels.onlyTarget}</span>}
      {filters.key && <span>{labels.onlyKey}</span>}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<X size={14} aria-hidden />}
        onClick={() => onChoose({})}
      >
        {labels.showAll}
      </Button>
    </Group>
  );
}
