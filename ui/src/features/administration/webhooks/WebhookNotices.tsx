import { Button } from "@mantine/core";
import { say } from "@/kit/notices";
import { ago } from "@/kit/times";
import { webhooks } from "@/texts/webhooks";
import { changeWebhook, replay } from "./actions";
import type { Webhook } from "./queries";
import { useAct } from "./useAct";
import classes from "./WebhookNotices.module.css";

interface Props {
  webhook: Webhook;
  mayManage: boolean;
}

const said = webhooks;

/** What somebody should do something about: that a webhook is paused or off, and what it missed. */
export function WebhookNotices({ webhook, mayManage }: Props) {
  const isActive = webhook.status === "WEBHOOK_STATUS_ACTIVE";
  const switchOn = useAct(() => changeWebhook(webhook, { status: "WEBHOOK_STATUS_ACTIVE" }));
  const replayMissed = useAct(
    () => replay(webhook, "DELIVERY_STATUS_MISSED"),
    ({ replayed }) => say(said.replay.done(replayed)),
  );
  const isPaused = webhook.status === "WEBHOOK_STATUS_PAUSED";
  return (
    <>
      {!isActive && (
        <section className={classes.notice} data-tone={isPaused ? "bad" : undefined}>
          <div>
            <h3>{isPaused ? said.paused.title : said.statuses[webhook.status]}</h3>
            <p>
              {isPaused ? webhook.pause_reason : said.off}{" "}
              {webhook.paused_at && said.paused.since(ago(webhook.paused_at, new Date()))}
            </p>
          </div>
          {mayManage && (
            <Button size="compact-md" loading={switchOn.isPending} onClick={() => switchOn.mutate()}>
              {isPaused ? said.paused.reactivate : said.switchOn}
            </Button>
          )}
        </section>
      )}
      {webhook.missed_count > 0 && (
        <section className={classes.notice}>
          <div>
            <h3>{said.replay.title(webhook.missed_count)}</h3>
            <p>
              {said.replay.more} {!isActive && said.replay.inactive}
            </p>
          </div>
          {mayManage && isActive && (
            <Button size="compact-md" loading={replayMissed.isPending} onClick={() => replayMissed.mutate()}>
              {said.replay.action}
            </Button>
          )}
        </section>
      )}
    </>
  );
}
