import { Anchor, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { QueryResult } from "@/kit/layout/QueryResult";
import { administration } from "@/texts/administration";
import { EntryList } from "../audit/EntryList";
import type { AuditFilters } from "../audit/filters";
import { auditLogOf } from "../audit/queries";
import { useOrganization } from "../useOrganization";

const SHOWN = 8;
const labels = administration.directory;

/** The latest changes that the directory made to people and groups. */
export function DirectoryActivity() {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  const people = useInfiniteQuery(auditLogOf(organizationId, { action: "user" }, SHOWN));
  const groups = useInfiniteQuery(auditLogOf(organizationId, { action: "group" }, SHOWN));
  const choose = (search: AuditFilters) =>
    void navigate({ to: "/o/$organizationId/administration/audit", params: { organizationId }, search });
  return (
    <>
      <QueryResult of={people}>
        {(first) => (
          <QueryResult of={groups}>
            {(second) => (
              <EntryList
                entries={[...first.pages, ...second.pages]
                  .flatMap((page) => page.entries)
                  .sort((a, b) => (a.entry_id < b.entry_id ? 1 : -1))
                  .slice(0, SHOWN)}
                nothing={labels.noActivity}
                onChoose={choose}
              />
            )}
          </QueryResult>
        )}
      </QueryResult>
      <Text size="sm" mt="xs">
        {(["user", "group"] as const).map((action) => (
          <Anchor
            key={action}
            mr="md"
            renderRoot={(props) => (
              <Link
                to="/o/$organizationId/administration/audit"
                params={{ organizationId }}
                search={{ action }}
                {...props}
              />
            )}
          >
            {labels.all[action]}
          </Anchor>
        ))}
      </Text>
    </>
  );
}
