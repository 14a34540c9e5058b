import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/kit/overlay/Dialog";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { rotateSecret } from "../actions";
import type { Webhook } from "../queries";
import { storeSecret } from "../secrets";
import { useAction } from "../useAction";

const labels = webhooks.rotate;
const OVERLAPS = ["0", "1", "24", "168"] as const;

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [overlap, setOverlap] = useState<string>("24");
  const rotate = useAction(
    () => rotateSecret(webhook, Number(overlap)),
    ({ secret }) => {
      storeSecret(webhook.id, secret);
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose} title={labels.title} centered>
      <Stack>
        <Text size="sm">{labels.more}</Text>
        <NativeSelect
          label={labels.overlap}
          value={overlap}
          data={OVERLAPS.map((value) => ({ value, label: labels.overlaps[value] }))}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {labels.action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
