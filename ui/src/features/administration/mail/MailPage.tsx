import { Alert, Button, Badge } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Mail as MailIcon } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { Rows, Row } from "@/kit/layout/Rows";
import { formatRelative } from "@/kit/text/times";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import { MailDialog } from "./MailDialog";
import { mailsOf, type Mail } from "./queries";

const labels = administration.mail;
const page = administration.pages.mail;

/** The emails of the organization, readable here if no mail server is configured. */
export function MailPage() {
  const { organizationId, role } = useOrganization();
  const mails = useInfiniteQuery({ ...mailsOf(organizationId), enabled: hasRole(role, "admin") });
  return (
    <AdministrationPage {...page} needs="admin">
      <InfiniteList of={mails}>
        {(pages) => {
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
      </InfiniteList>
    </AdministrationPage>
  );
}

interface Props {
  mail: Mail;
  isReadable: boolean;
}

const TONES = { waiting: "gray", sent: "green", refused: "red" } as const;

function MailRow({ mail, isReadable }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      title={mail.subject}
      mark={
        <Badge variant="light" color={TONES[mail.state]}>
          {labels.states[mail.state]}
        </Badge>
      }
      more={
        <>
          <bdi>{mail.to}</bdi> · {formatRelative(mail.created_at, new Date())}
          {mail.last_error && <div>{mail.last_error}</div>}
        </>
      }
    >
      {isReadable && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={labels.viewOne(mail.subject, mail.to)}
          onClick={() => setOpen(true)}
        >
          {labels.view}
        </Button>
      )}
      {isOpen && <MailDialog mail={mail} onClose={() => setOpen(false)} />}
    </Row>
  );
}
