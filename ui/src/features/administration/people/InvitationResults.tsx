import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Copy } from "lucide-react";
import { Dialog } from "@/kit/overlay/Dialog";
import { copy } from "@/kit/text/clipboard";
import { Row, Rows } from "@/kit/layout/Rows";
import { signInMethods } from "@/model/signIn/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import classes from "./Invitations.module.css";
import { invitationLink, type Invited } from "./queries";

interface Props {
  invited: Invited[];
  onClose: () => void;
}

const labels = administration.people;

/** The result for each invitation: its link, shown once, or why there is none. */
export function InvitationResults({ invited, onClose }: Props) {
  const { data: methods } = useQuery(signInMethods);
  const sent = invited.filter((each) => each.token);
  const lines = sent.map((each) => `${each.email}\t${invitationLink(each)}`).join("\n");
  return (
    <Dialog onClose={onClose} title={labels.invitedCount(sent.length, invited.length)} size="lg" centered>
      <Stack gap="sm">
        {methods && sent.length > 0 && (
          <Text size="sm">{methods.mail_server ? labels.invitedHint : labels.invitedStored}</Text>
        )}
        <Rows label={labels.invitations}>
          {invited.map((each) => (
            <Result key={each.email} of={each} />
          ))}
        </Rows>
        <Group justify="flex-end">
          {sent.length > 1 && (
            <Button variant="default" onClick={() => void copy(lines, labels.linksCopied(sent.length))}>
              {labels.copyLinks}
            </Button>
          )}
          <Button onClick={onClose}>{texts.app.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Result({ of: { email, token, reason } }: { of: Invited }) {
  const Icon = token ? CircleCheck : CircleAlert;
  return (
    <Row
      picture={<Icon size={18} aria-hidden className={classes.icon} data-refused={!token || undefined} />}
      title={<bdi>{email}</bdi>}
      details={reason ?? <span className={classes.link}>{invitationLink({ token })}</span>}
    >
      {token && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Copy size={14} aria-hidden />}
          aria-label={labels.copyLinkOf(email)}
          onClick={() => void copy(invitationLink({ token }), texts.messages.linkCopied)}
        >
          {texts.messages.copyLink}
        </Button>
      )}
    </Row>
  );
}
