import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import classes from "./DeliveryLog.module.css";
import { DeliveryList } from "./DeliveryList";
import { LogFilterForm, type LogSearch } from "./LogFilterForm";
import { DELIVERY_STATUSES } from "../status";
import { momentOf } from "./format";
import { logOf, type LogFilters, type Webhook } from "../queries";
import { ReplayDialog } from "./ReplayDialog";
import pageClasses from "../page/WebhookPages.module.css";

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
  const [isReplaying, setReplaying] = useState(false);
  return (
    <section aria-labelledby="deliveries">
      <div className={classes.head}>
        <h2 id="deliveries" className={pageClasses.section}>
          {labels.log.title}
        </h2>
        {mayManage && webhook.status === "WEBHOOK_STATUS_ACTIVE" && (
          <Button size="compact-sm" variant="default" onClick={() => setReplaying(true)}>
            {workbench.replay.action}
          </Button>
        )}
      </div>
      <LogFilterForm
        search={search}
        onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
      />
      <InfiniteList of={log}>
        {(pages) => {
          const deliveries = pages.flatMap((page) => page.logs);
          return deliveries.length > 0 ? (
            <DeliveryList webhook={webhook} deliveries={deliveries} mayManage={mayManage} />
          ) : (
            <p className={classes.none}>{labels.log.none}</p>
          );
        }}
      </InfiniteList>
      {isReplaying && <ReplayDialog webhook={webhook} onClose={() => setReplaying(false)} />}
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
