import { Button, Group } from "@mantine/core";
import { Copy } from "lucide-react";
import { copy } from "@/kit/text/clipboard";
import classes from "@/kit/overlay/SecretAlert.module.css";
import { texts } from "@/texts";

interface Props {
  link: string;
  onDone: () => void;
}

/** A link to copy and give to someone. */
export function SharedLink({ link, onDone }: Props) {
  return (
    <>
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
    </>
  );
}
