import { Button, Group, TextInput } from "@mantine/core";
import { useQuery, queryOptions } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useState } from "react";
import { messageOf, unwrap } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { QueryResult } from "@/kit/layout/QueryResult";
import { copy } from "@/kit/text/clipboard";
import { shortDate } from "@/kit/text/times";
import { organizationsKey } from "@/model/queryKeys";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { api, type Schemas } from "@/api/client";
import { AdministrationPage } from "../AdministrationPage";
import classes from "../directory/ScimAddress.module.css";
import { Section } from "../Section";
import { useOrganization } from "../useOrganization";

const labels = administration.organization;

/** The organization's name and id. */
export function OrganizationPage() {
  const { organizationId } = useOrganization();
  const organization = useQuery(organizationOf(organizationId));
  return (
    <AdministrationPage page="settings">
      <QueryResult of={organization}>
        {(known) => (
          <>
            <NameForm key={known.name} organization={known} />
            <Section title={labels.id} hint={labels.idHint}>
              <div className={classes.line}>
                <code>{organizationId}</code>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<Copy size={14} aria-hidden />}
                  onClick={() => void copy(organizationId, labels.idCopied)}
                >
                  {labels.copyId}
                </Button>
              </div>
            </Section>
            <Section title={labels.created}>{shortDate(known.created_at)}</Section>
          </>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}

/** Renames the organization. */
function NameForm({ organization }: { organization: Organization }) {
  const [name, setName] = useState(organization.name);
  const save = useChange({
    change: (wanted: string) => renameOrganization(organization, wanted),
    invalidates: [organizationOf(organization.organization_id).queryKey, organizationsKey()],
    done: texts.app.saved,
    handlesErrors: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(name.trim());
      }}
    >
      <Group align="flex-end" gap="sm" maw={560}>
        <TextInput
          style={{ flex: "1 1 220px" }}
          label={administration.organization.name}
          maxLength={200}
          required
          withAsterisk={false}
          value={name}
          error={save.isError && messageOf(save.error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          loading={save.isPending}
          disabled={!name.trim() || name.trim() === organization.name}
        >
          {texts.app.save}
        </Button>
      </Group>
    </form>
  );
}

type Organization = Schemas["Organization"];

const organizationOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "organization"],
    queryFn: async () => {
      const params = { path: { organization_id: organizationId } };
      return (await unwrap(api.GET("/v1/organizations/{organization_id}", { params }))).organization;
    },
  });

const renameOrganization = ({ organization_id }: Organization, name: string) =>
  unwrap(
    api.PATCH("/v1/organizations/{organization_id}", {
      params: { path: { organization_id } },
      body: { content: { name } },
    }),
  );
