import { Button, Group } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Pencil, Send } from "lucide-react";
import { useState } from "react";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { useChange } from "@/kit/data/useChange";
import { showNotice } from "@/kit/overlay/notices";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { changeWebhook, deleteWebhook, testWebhook } from "../actions";
import { webhookKeys, type Delivery, type Webhook } from "../queries";
import { RotateDialog } from "./RotateDialog";
import { WebhookDialog } from "../form/WebhookDialog";

const labels = webhooks;

/** The actions of a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<"edit" | "rotate" | null>(null);
  const navigate = useNavigate();
  const organizationId = webhook.organization_id;
  const test = useChange({
    change: () => testWebhook(webhook),
    invalidates: webhookKeys,
    done: ({ delivery }) => showResult(delivery),
  });
  const disable = useChange({
    change: () => changeWebhook(webhook, { status: "WEBHOOK_STATUS_INACTIVE" }),
    invalidates: webhookKeys,
  });
  const remove = useChange({
    change: () => deleteWebhook(webhook),
    invalidates: webhookKeys,
    done: () =>
      void navigate({ to: "/o/$organizationId/administration/webhooks", params: { organizationId } }),
  });
  const close = () => setOpen(null);
  return (
    <Group gap={8}>
      <Button
        size="compact-sm"
        variant="default"
        loading={test.isPending}
        leftSection={<Send size={14} aria-hidden />}
        onClick={() => test.mutate()}
      >
        {labels.test}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => setOpen("edit")}
      >
        {labels.edit}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setOpen("rotate")}>
        {labels.rotate.action}
      </Button>
      {webhook.status === "WEBHOOK_STATUS_ACTIVE" && (
        <ConfirmButton
          question={labels.disableHint}
          action={labels.disable}
          onConfirm={() => disable.mutate()}
        />
      )}
      <ConfirmButton
        question={labels.deleteHint}
        action={labels.delete}
        isDangerous
        onConfirm={() => remove.mutate()}
      />
      {open === "rotate" && <RotateDialog webhook={webhook} onClose={close} />}
      {open === "edit" && (
        <WebhookDialog
          organizationId={organizationId}
          webhook={webhook}
          onClose={close}
          onDone={() => {
            close();
            showNotice(texts.app.saved);
          }}
        />
      )}
    </Group>
  );
}

function showResult(delivery: Delivery): void {
  if (delivery.status === "DELIVERY_STATUS_SUCCEEDED")
    return showNotice(labels.tested(delivery.response_code));
  const error = delivery.attempts.at(-1)?.error;
  showNotice(labels.testFailed(error ?? labels.log.noAnswer), { isError: true });
}
