import { Alert, Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import { copy } from "@/kit/clipboard";
import classes from "@/kit/SecretAlert.module.css";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";

interface Props {
  email: string;
  token: string;
  onDone: () => void;
}

const labels = administration.people;

/** The link of an invitation, shown once to share it. */
export function InvitationLink({ email, token, onDone }: Props) {
  const link = `${location.origin}/sign-in#invitation=${token}`;
  return (
    <Alert color="green" mb="md" title={labels.invited(email)} role="alert">
      <p className={classes.more}>{labels.invitedMore}</p>
      <code className={classes.key}>{link}</code>
      <Group gap="xs" mt="sm">
        <Button
          size="compact-sm"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy(link, texts.messages.linkCopied)}
        >
          {texts.messages.copyLink}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {texts.app.close}
        </Button>
      </Group>
    </Alert>
  );
}
