import { Badge, Button } from "@mantine/core";
import { useState } from "react";
import { Row } from "@/kit/layout/Rows";
import { formatRelative } from "@/kit/text/times";
import { administration } from "@/texts/administration";
import { MailDialog } from "./MailDialog";
import type { Mail } from "./queries";

interface Props {
  mail: Mail;
  isReadable: boolean;
}

const labels = administration.mail;
const TONES = { waiting: "gray", sent: "green", refused: "red" } as const;

export function MailRow({ mail, isReadable }: Props) {
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
