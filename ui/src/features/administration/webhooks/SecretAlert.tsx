import { Alert, Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import { copy } from "@/kit/clipboard";
import classes from "@/kit/SecretAlert.module.css";
import { useStore } from "@/kit/store";
import { webhooks } from "@/texts/webhooks";
import { dropSecret, secrets } from "./secrets";

const said = webhooks.secret;

/** A webhook's secret, this once. */
export function SecretAlert({ webhookId }: { webhookId: string }) {
  const secret = useStore(secrets).get(webhookId);
  if (!secret) return null;
  return (
    <Alert color="yellow" mb="md" title={said.title} role="alert">
      <code className={classes.key}>{secret}</code>
      <p className={classes.more} style={{ marginTop: 10 }}>
        {said.more}
      </p>
      <code className={classes.key}>atrium receive --secret-file -</code>
      <Group gap="xs" mt="sm">
        <Button
          size="compact-md"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy(secret, said.copied)}
        >
          {said.copy}
        </Button>
        <Button size="compact-md" variant="default" onClick={() => dropSecret(webhookId)}>
          {said.done}
        </Button>
      </Group>
    </Alert>
  );
}
