import { Alert, Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import { copy } from "@/kit/text/clipboard";
import classes from "@/kit/overlay/SecretAlert.module.css";
import { useStore } from "@/kit/data/store";
import { webhooks } from "@/texts/webhooks";
import { dropSecret, secrets } from "../secrets";

const labels = webhooks.secret;

/** A webhook's secret, shown once. */
export function SecretAlert({ webhookId }: { webhookId: string }) {
  const secret = useStore(secrets).get(webhookId);
  if (!secret) return null;
  return (
    <Alert color="yellow" mb="md" title={labels.title} role="alert">
      <code className={classes.key}>{secret}</code>
      <p className={classes.more} style={{ marginTop: 10 }}>
        {labels.hint}
      </p>
      <code className={classes.key}>atrium receive --secret-file -</code>
      <Group gap="xs" mt="sm">
        <Button
          size="compact-md"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy(secret, labels.copied)}
        >
          {labels.copy}
        </Button>
        <Button size="compact-md" variant="default" onClick={() => dropSecret(webhookId)}>
          {labels.done}
        </Button>
      </Group>
    </Alert>
  );
}
