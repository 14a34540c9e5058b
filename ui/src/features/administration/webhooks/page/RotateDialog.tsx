import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { showSecret } from "@/kit/overlay/SecretAlert";
import { webhooks } from "@/texts/webhooks";
import { rotateSecret } from "../actions";
import { webhookKeys, type Webhook } from "../queries";

const labels = webhooks.rotate;
const OVERLAPS = ["0", "1", "24", "168"] as const;

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [overlap, setOverlap] = useState<string>("24");
  const rotate = useChange({
    change: () => rotateSecret(webhook, Number(overlap)),
    invalidates: webhookKeys,
    done: ({ secret }) => {
      showSecret(webhook.id, { id: webhook.id, name: webhook.name, value: secret });
      onClose();
    },
    handlesErrors: true,
  });
  return (
    <FormDialog
      title={labels.title}
      hint={labels.hint}
      action={labels.action}
      change={rotate}
      onSubmit={rotate.mutate}
      onClose={onClose}
    >
      <NativeSelect
        label={labels.overlap}
        value={overlap}
        data={OVERLAPS.map((value) => ({ value, label: labels.overlaps[value] }))}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
