import { Alert, Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Mail as MailIcon } from "lucide-react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Rows } from "@/kit/layout/Rows";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import { MailRow } from "./MailRow";
import { mailsOf } from "./queries";

const labels = administration.mail;
const page = administration.pages.mail;

/** The emails of the organization, readable here if no mail server is configured. */
export function MailPage() {
  const { organizationId, role } = useOrganization();
  const mails = useInfiniteQuery({ ...mailsOf(organizationId), enabled: hasRole(role, "admin") });
  return (
    <AdministrationPage {...page} needs="admin">
      <QueryResult of={mails}>
        {({ pages }) => {
          const all = pages.flatMap((each) => each.mails);
          const isSent = pages[0]?.mail_server ?? false;
          return (
            <>
              <Alert
                color={isSent ? "gray" : undefined}
                mb="md"
                title={isSent ? labels.sentTitle : labels.storedTitle}
              >
                {isSent ? labels.sentMore : labels.storedMore}
              </Alert>
              {all.length === 0 ? (
                <EmptyState icon={<MailIcon size={22} aria-hidden />} title={labels.none} />
              ) : (
                <Rows label={page.title}>
                  {all.map((each) => (
                    <MailRow key={each.mail_id} mail={each} isReadable={!isSent} />
                  ))}
                </Rows>
              )}
            </>
          );
        }}
      </QueryResult>
      {mails.hasNextPage && (
        <Button
          mt="sm"
          variant="default"
          loading={mails.isFetchingNextPage}
          onClick={() => void mails.fetchNextPage()}
        >
          {texts.app.more}
        </Button>
      )}
    </AdministrationPage>
  );
}
