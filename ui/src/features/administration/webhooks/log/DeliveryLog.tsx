import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import pageClasses from "../page/WebhookPages.module.css";
import { logOf, type LogFilters, type Webhook } from "../queries";
import { DELIVERY_STATUSES } from "../status";
import { DeliveryList } from "./DeliveryList";
import classes from "./DeliveryLog.module.css";
import { momentOf } from "./format";
import { ReplayDialog } from "./ReplayDialog";

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

/** The filters in the URL; times are local. */
interface LogSearch {
  status?: string;
  event?: string;
  since?: string;
  until?: string;
}

interface LogFilterFormProps {
  search: LogSearch;
  onChange: (search: LogSearch) => void;
}
/** "ping", which tests a webhook, and the events that can be subscribed to. */
const EVENT_TYPES = [
  ...Object.keys(webhooks.events).map((each) => each.replace("WEBHOOK_SUBSCRIPTION_TYPE_", "").toLowerCase()),
  "ping",
];

function LogFilterForm({ search, onChange }: LogFilterFormProps) {
  const field = (name: keyof LogSearch) => ({
    size: "xs",
    value: search[name] ?? "",
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...search, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={labels.log.status}
        data={[
          { value: "", label: labels.log.anyStatus },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: webhooks.deliveryStatuses[value] })),
        ]}
        {...field("status")}
      />
      <NativeSelect
        label={labels.log.event}
        data={[
          { value: "", label: labels.log.anyEvent },
          ...EVENT_TYPES.map((value) => ({ value, label: value })),
        ]}
        {...field("event")}
      />
      <TextInput type="datetime-local" label={labels.log.since} {...field("since")} />
      <TextInput type="datetime-local" label={labels.log.until} {...field("until")} />
    </div>
  );
}
