import { Alert, Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import type { Schemas } from "@/api/client";
import { copy } from "@/kit/text/clipboard";
import classes from "@/kit/overlay/SecretAlert.module.css";
import { incoming } from "@/texts/incoming";

interface Props {
  webhook: Schemas["ShownIncomingWebhook"];
  onDone: () => void;
}

/** Return a curl command that posts to the webhook. The URL needs no quoting in a shell. */
const commandFor = (url: string) => `curl -d '{"text": "Hello"}' ${url}`;

/** The URL of an incoming webhook, shown once. */
export function NewUrlAlert({ webhook: made, onDone }: Props) {
  const command = commandFor(made.url);
  return (
    <Alert color="yellow" mb="md" title={incoming.shown(made.name)} role="alert">
      <p className={classes.more}>{incoming.shownHint}</p>
      <code className={classes.key}>{made.url}</code>
      <p className={classes.more} style={{ marginTop: 10 }}>
        {incoming.example}
      </p>
      <code className={classes.key}>{command}</code>
      <Group gap="xs" mt="sm">
        <Button
          size="compact-md"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy(made.url, incoming.copied)}
        >
          {incoming.copy}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          onClick={() => void copy(command, incoming.exampleCopied)}
        >
          {incoming.copyExample}
        </Button>
        <Button size="compact-md" variant="default" onClick={onDone}>
          {incoming.done}
        </Button>
      </Group>
    </Alert>
  );
}
