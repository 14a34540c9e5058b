import { Button, Anchor, Text } from "@mantine/core";
import { Copy } from "lucide-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { copy } from "@/kit/text/clipboard";
import { administration } from "@/texts/administration";
import { QueryResult } from "@/kit/layout/QueryResult";
import { AdministrationPage } from "../AdministrationPage";
import { Section } from "../Section";
import { EntryList } from "../audit/EntryList";
import type { AuditFilters } from "../audit/filters";
import { auditLogOf } from "../audit/queries";
import { useOrganization } from "../useOrganization";
import { DirectoryGroups } from "./DirectoryGroups";
import { DirectoryKeys } from "./DirectoryKeys";
import classes from "./ScimAddress.module.css";

const labels = administration.directory;

/** Directory provisioning: URL, keys, groups and recent changes. */
export function DirectoryPage() {
  return (
    <AdministrationPage page="directory">
      <Section title={labels.address} hint={labels.addressHint}>
        <ScimAddress />
      </Section>
      <DirectoryKeys />
      <Section title={labels.groups} hint={labels.groupsHint}>
        <DirectoryGroups />
      </Section>
      <Section title={labels.activity} hint={labels.activityHint}>
        <DirectoryActivity />
      </Section>
    </AdministrationPage>
  );
}

/** The SCIM base URL, to copy into the identity provider. */
function ScimAddress() {
  const address = `${location.origin}/scim/v2`;
  return (
    <div className={classes.line}>
      <code>{address}</code>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void copy(address, labels.addressCopied)}
      >
        {labels.copyAddress}
      </Button>
    </div>
  );
}

const SHOWN = 8;

/** The latest changes that the directory made to people and groups. */
function DirectoryActivity() {
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
