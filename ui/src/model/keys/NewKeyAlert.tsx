import { Alert, Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import { texts } from "@/texts";
import { copy } from "@/kit/text/clipboard";
import classes from "@/kit/overlay/SecretAlert.module.css";

interface Props {
  value: string;
  /** Whose key it is. */
  of?: string;
  onDone: () => void;
}

/** A new key, shown once. */
export function NewKeyAlert({ value, of, onDone }: Props) {
  return (
    <Alert
      color="yellow"
      mb="md"
      title={of ? `${of}: ${texts.apiKeys.shownOnce}` : texts.apiKeys.shownOnce}
      role="alert"
    >
      <p className={classes.more}>{texts.apiKeys.shownOnceHint}</p>
      <code className={classes.key}>{value}</code>
      <Group gap="xs" mt="sm">
        <Button
          size="compact-sm"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy(value, texts.apiKeys.copied)}
        >
          {texts.apiKeys.copy}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {texts.apiKeys.done}
        </Button>
      </Group>
    </Alert>
  );
}
