import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { copy } from "@/kit/text/clipboard";
import { QueryResult } from "@/kit/layout/QueryResult";
import { shortDate } from "@/kit/text/times";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import classes from "../directory/ScimAddress.module.css";
import { Section } from "../Section";
import { useOrganization } from "../useOrganization";
import { NameForm } from "./NameForm";
import { organizationOf } from "./queries";

const labels = administration.organization;

/** The organization's name and id. */
export function OrganizationPage() {
  const { organizationId } = useOrganization();
  const organization = useQuery(organizationOf(organizationId));
  return (
    <AdministrationPage {...administration.pages.settings} needs="admin">
      <QueryResult of={organization}>
        {(known) => (
          <>
            <NameForm key={known.name} organization={known} />
            <Section title={labels.id} more={labels.idMore}>
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
