import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { Dialog } from "@/kit/overlay/Dialog";
import { copy } from "@/kit/text/clipboard";
import { QueryResult } from "@/kit/layout/QueryResult";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { useOrganization } from "../useOrganization";
import { linkIn } from "./link";
import classes from "./MailDialog.module.css";
import { mailOf, type Mail } from "./queries";

interface Props {
  mail: Mail;
  onClose: () => void;
}

const labels = administration.mail;

/** An email as it would have been sent. */
export function MailDialog({ mail, onClose }: Props) {
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
