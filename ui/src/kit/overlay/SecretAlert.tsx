import { Alert, Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import { Store, useStore } from "../data/store";
import { copy } from "../text/clipboard";
import classes from "./SecretAlert.module.css";

/** A new key or another secret, which the server tells once. */
interface Secret {
  value: string;
  /** The id and the name of what it belongs to. */
  id: string;
  name: string;
}

interface CopyLabels {
  copy: string;
  copied: string;
}

interface Props {
  place: string;
  title: (name: string) => string;
  hint?: string;
  labels: CopyLabels & { done: string };
  /** A command that uses the secret. */
  example?: (secret: string) => { hint: string; command: string; labels?: CopyLabels };
}

/** By place, until the reader confirms that they are saved; never stored in the browser. */
const secrets = new Store<ReadonlyMap<string, Secret>>(new Map());

/** Show a secret at a place, such as above the keys of an organization, instead of the one that is there. */
export const showSecret = (place: string, secret: Secret): void =>
  secrets.update((known) => new Map(known).set(place, secret));

/** Hide the secret of something that is gone. */
export const hideSecret = (place: string, id: string): void =>
  secrets.update((known) => new Map([...known].filter(([at, each]) => at !== place || each.id !== id)));

/** The secret of a place, if there is one. */
export function SecretAlert({ place, title, hint, labels, example }: Props) {
  const secret = useStore(secrets).get(place);
  if (!secret) return null;
  const shown = example?.(secret.value);
  return (
    <Alert color="yellow" mb="md" title={title(secret.name)}>
      {hint && <p className={classes.hint}>{hint}</p>}
      <code className={classes.key}>{secret.value}</code>
      {shown && (
        <>
          <p className={classes.example}>{shown.hint}</p>
          <code className={classes.key}>{shown.command}</code>
        </>
      )}
      <Group gap="xs" mt="sm">
        <CopyButton text={secret.value} labels={labels} isFirst />
        {shown?.labels && <CopyButton text={shown.command} labels={shown.labels} />}
        <Button size="compact-md" variant="default" onClick={() => hideSecret(place, secret.id)}>
          {labels.done}
        </Button>
      </Group>
    </Alert>
  );
}

function CopyButton({ text, labels, isFirst }: { text: string; labels: CopyLabels; isFirst?: boolean }) {
  return (
    <Button
      size="compact-md"
      variant={isFirst ? "filled" : "default"}
      leftSection={isFirst && <Copy size={14} aria-hidden />}
      onClick={() => void copy(text, labels.copied)}
    >
      {labels.copy}
    </Button>
  );
}
