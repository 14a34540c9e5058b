import { Alert, Button, Badge, Group } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Mail as MailIcon, Copy } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Rows, Row } from "@/kit/layout/Rows";
import { Dialog } from "@/kit/overlay/Dialog";
import { copy } from "@/kit/text/clipboard";
import { formatRelative } from "@/kit/text/times";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import { linkIn } from "./link";
import classes from "./MailPage.module.css";
import { mailsOf, type Mail, mailOf } from "./queries";

const labels = administration.mail;

/** The emails of the organization, readable here if no mail server is configured. */
export function MailPage() {
  const { organizationId, role } = useOrganization();
  const mails = useInfiniteQuery({ ...mailsOf(organizationId), enabled: hasRole(role, "admin") });
  return (
    <AdministrationPage page="mail">
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
                {isSent ? labels.sentHint : labels.storedHint}
              </Alert>
              {all.length === 0 ? (
                <EmptyState icon={<MailIcon size={22} aria-hidden />} title={labels.none} />
              ) : (
                <Rows label={administration.pages.mail.title}>
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
      details={
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

interface MailDialogProps {
  mail: Mail;
  onClose: () => void;
}

/** An email as it would have been sent. */
function MailDialog({ mail, onClose }: MailDialogProps) {
  const { organizationId } = useOrganization();
  const read = useQuery(mailOf(organizationId, mail.mail_id));
  return (
    <Dialog onClose={onClose} title={mail.subject} size="lg" centered>
      <p className={classes.to}>{labels.to(mail.to)}</p>
      <QueryResult of={read}>
        {({ text }) => {
          const link = linkIn(text);
          return (
            <>
              <pre className={classes.text} tabIndex={0} aria-label={labels.text}>
                {text ?? labels.withheld}
              </pre>
              <Group justify="flex-end" mt="md">
                {link && (
                  <Button
                    variant="default"
                    leftSection={<Copy size={15} aria-hidden />}
                    onClick={() => void copy(link, texts.messages.linkCopied)}
                  >
                    {texts.messages.copyLink}
                  </Button>
                )}
                <Button onClick={onClose}>{texts.app.close}</Button>
              </Group>
            </>
          );
        }}
      </QueryResult>
    </Dialog>
  );
}
