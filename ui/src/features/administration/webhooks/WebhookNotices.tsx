import { Button } from "@mantine/core";
import { showNotice } from "@/kit/notices";
import { formatRelative } from "@/kit/times";
import { webhooks } from "@/texts/webhooks";
import { changeWebhook, replay } from "./actions";
import type { Webhook } from "./queries";
import { useAction } from "./useAction";
import classes from "./WebhookNotices.module.css";

interface Props {
  webhook: Webhook;
  mayManage: boolean;
}

const labels = webhooks;

/** Notices that need action: the webhook is paused or disabled, or has missed events. */
export function WebhookNotices({ webhook, mayManage }: Props) {
  const isActive = webhook.status === "WEBHOOK_STATUS_ACTIVE";
  const enable = useAction(() => changeWebhook(webhook, { status: "WEBHOOK_STATUS_ACTIVE" }));
  const replayMissed = useAction(
    () => replay(webhook, "DELIVERY_STATUS_MISSED"),
    ({ replayed }) => showNotice(labels.replay.done(replayed)),
  );
  const isPaused = webhook.status === "WEBHOOK_STATUS_PAUSED";
  return (
    <>
      {!isActive && (
        <section className={classes.notice} data-tone={isPaused ? "bad" : undefined}>
          <div>
            <h3>{isPaused ? labels.paused.title : labels.statuses[webhook.status]}</h3>
            <p>
              {isPaused ? webhook.pause_reason : labels.off}{" "}
              {webhook.paused_at && labels.paused.since(formatRelative(webhook.paused_at, new Date()))}
            </p>
          </div>
          {mayManage && (
            <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
              {isPaused ? labels.paused.reactivate : labels.enable}
            </Button>
          )}
        </section>
      )}
      {webhook.missed_count > 0 && (
        <section className={classes.notice}>
          <div>
            <h3>{labels.replay.title(webhook.missed_count)}</h3>
            <p>
              {labels.replay.more} {!isActive && labels.replay.inactive}
            </p>
          </div>
          {mayManage && isActive && (
            <Button size="xs" loading={replayMissed.isPending} onClick={() => replayMissed.mutate()}>
              {labels.replay.action}
            </Button>
          )}
        </section>
      )}
    </>
  );
}
