import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { messageOf } from "@/api/refusal";
import { ConfirmButton } from "@/kit/ConfirmButton";
import { Loading } from "@/kit/Loading";
import { say } from "@/kit/notices";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { replay } from "./actions";
import classes from "./DeliveryLog.module.css";
import { DeliveryRow } from "./DeliveryRow";
import { LogFilterForm, type AskedLog } from "./LogFilterForm";
import { DELIVERY_STATUSES, momentOf } from "./model";
import { logOf, type LogFilters, type Webhook } from "./queries";
import { useAct } from "./useAct";
import pageClasses from "./WebhookPages.module.css";

interface Props {
  webhook: Webhook;
  mayManage: boolean;
}

const said = webhooks;

/** What was delivered, newest first; it is read again as long as somebody looks. */
export function DeliveryLog({ webhook, mayManage }: Props) {
  const asked: AskedLog = useSearch({
    from: "/signed-in/o/$organizationId/administration/webhooks/$webhookId",
  });
  const navigate = useNavigate({ from: "/o/$organizationId/administration/webhooks/$webhookId" });
  const log = useInfiniteQuery(logOf(webhook.organization_id, webhook.id, filtersOf(asked)));
  const deliveries = log.data?.pages.flatMap((page) => page.logs) ?? [];
  const replayFailed = useAct(
    () => replay(webhook, "DELIVERY_STATUS_FAILED"),
    ({ replayed }) => say(said.replay.done(replayed)),
  );
  return (
    <section aria-labelledby="deliveries">
      <div className={classes.head}>
        <h2 id="deliveries" className={pageClasses.section}>
          {said.log.title}
        </h2>
        {mayManage && webhook.status === "WEBHOOK_STATUS_ACTIVE" && (
          <ConfirmButton
            question={said.replay.failedMore}
            action={said.replay.failed}
            onConfirm={() => replayFailed.mutate()}
          />
        )}
      </div>
      <LogFilterForm
        asked={asked}
        onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
      />
      {log.isError && <p role="alert">{messageOf(log.error)}</p>}
      {log.isLoading && <Loading />}
      {log.isSuccess && deliveries.length === 0 && <p className={classes.none}>{said.log.none}</p>}
      {deliveries.length > 0 && (
        <ol className={classes.list} aria-label={said.log.title}>
          {deliveries.map((each) => (
            <li key={each.delivery_id}>
              <DeliveryRow webhook={webhook} delivery={each} mayManage={mayManage} />
            </li>
          ))}
        </ol>
      )}
      {log.hasNextPage && (
        <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {texts.app.more}
        </Button>
      )}
    </section>
  );
}

/** Only what the API takes: an address may say anything. */
function filtersOf(asked: AskedLog): LogFilters {
  return {
    status: DELIVERY_STATUSES.find((each) => each === asked.status),
    event_type: asked.event || undefined,
    since: momentOf(asked.since),
    until: momentOf(asked.until),
  };
}
