import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { messageOf } from "@/api/errors";
import { ConfirmButton } from "@/kit/ConfirmButton";
import { Loading } from "@/kit/Loading";
import { showNotice } from "@/kit/notices";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { replay } from "./actions";
import classes from "./DeliveryLog.module.css";
import { DeliveryRow } from "./DeliveryRow";
import { LogFilterForm, type LogSearch } from "./LogFilterForm";
import { DELIVERY_STATUSES, momentOf } from "./model";
import { logOf, type LogFilters, type Webhook } from "./queries";
import { useAction } from "./useAction";
import pageClasses from "./WebhookPages.module.css";

interface Props {
  webhook: Webhook;
  mayManage: boolean;
}

const labels = webhooks;

/** The deliveries, newest first; reloaded while the page is visible. */
export function DeliveryLog({ webhook, mayManage }: Props) {
  const search: LogSearch = useSearch({
    from: "/signed-in/o/$organizationId/administration/webhooks/$webhookId",
  });
  const navigate = useNavigate({ from: "/o/$organizationId/administration/webhooks/$webhookId" });
  const log = useInfiniteQuery(logOf(webhook.organization_id, webhook.id, filtersOf(search)));
  const deliveries = log.data?.pages.flatMap((page) => page.logs) ?? [];
  const replayFailed = useAction(
    () => replay(webhook, "DELIVERY_STATUS_FAILED"),
    ({ replayed }) => showNotice(labels.replay.done(replayed)),
  );
  return (
    <section aria-labelledby="deliveries">
      <div className={classes.head}>
        <h2 id="deliveries" className={pageClasses.section}>
          {labels.log.title}
        </h2>
        {mayManage && webhook.status === "WEBHOOK_STATUS_ACTIVE" && (
          <ConfirmButton
            question={labels.replay.failedMore}
            action={labels.replay.failed}
            onConfirm={() => replayFailed.mutate()}
          />
        )}
      </div>
      <LogFilterForm
        search={search}
        onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
      />
      {log.isError && <p role="alert">{messageOf(log.error)}</p>}
      {log.isLoading && <Loading />}
      {log.isSuccess && deliveries.length === 0 && <p className={classes.none}>{labels.log.none}</p>}
      {deliveries.length > 0 && (
        <ol className={classes.list} aria-label={labels.log.title}>
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

/** Drop values that the API does not accept, because a URL can contain anything. */
function filtersOf(search: LogSearch): LogFilters {
  return {
    status: DELIVERY_STATUSES.find((each) => each === search.status),
    event_type: search.event || undefined,
    since: momentOf(search.since),
    until: momentOf(search.until),
  };
}
