import { Button } from "@mantine/core";
import { useChange } from "@/kit/data/useChange";
import { showNotice } from "@/kit/overlay/notices";
import { formatRelative, shortDate } from "@/kit/text/times";
import { webhookAuthentication } from "@/texts/webhookAuthentication";
import { webhooks } from "@/texts/webhooks";
import { changeWebhook, replayMissed } from "../actions";
import { endingOf } from "../form/authentication";
import { webhookKeys, type Webhook } from "../queries";
import classes from "./WebhookPages.module.css";

interface Props {
  webhook: Webhook;
  mayManage: boolean;
}

const labels = webhooks;
const endings = webhookAuthentication.ending;

/** Notices that need action: the webhook is paused or disabled, has missed events, or has a certificate that ends. */
export function WebhookNotices({ webhook, mayManage }: Props) {
  const isActive = webhook.status === "WEBHOOK_STATUS_ACTIVE";
  const enable = useChange({
    change: () => changeWebhook(webhook, { status: "WEBHOOK_STATUS_ACTIVE" }),
    invalidates: webhookKeys,
  });
  const replay = useChange({
    change: () => replayMissed(webhook),
    invalidates: webhookKeys,
    done: ({ replayed }) => showNotice(labels.replay.done(replayed)),
  });
  const ending = endingOf(webhook, new Date());
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
            {isPaused && <p>{labels.paused.rule}</p>}
          </div>
          {mayManage && (
            <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
              {isPaused ? labels.paused.reactivate : labels.enable}
            </Button>
          )}
        </section>
      )}
      {ending && (
        <section className={classes.notice} data-tone={ending.hasEnded ? "bad" : undefined}>
          <div>
            <h3>
              {ending.hasEnded ? endings.ended(shortDate(ending.at)) : endings.soon(shortDate(ending.at))}
            </h3>
            <p>{endings.hint}</p>
          </div>
        </section>
      )}
      {webhook.missed_count > 0 && (
        <section className={classes.notice}>
          <div>
            <h3>{labels.replay.title(webhook.missed_count)}</h3>
            <p>
              {labels.replay.hint} {!isActive && labels.replay.inactive}
            </p>
          </div>
          {mayManage && isActive && (
            <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate()}>
              {labels.replay.action}
            </Button>
          )}
        </section>
      )}
    </>
  );
}
