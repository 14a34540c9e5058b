import { NativeSelect, TextInput } from "@mantine/core";
import { webhooks } from "@/texts/webhooks";
import classes from "./DeliveryLog.module.css";
import { DELIVERY_STATUSES } from "../status";

/** The filters in the URL; times are local. */
export interface LogSearch {
  status?: string;
  event?: string;
  since?: string;
  until?: string;
}

interface Props {
  search: LogSearch;
  onChange: (search: LogSearch) => void;
}

const labels = webhooks.log;
/** "ping", which tests a webhook, and the events that can be subscribed to. */
const EVENT_TYPES = [
  ...Object.keys(webhooks.events).map((each) => each.replace("WEBHOOK_SUBSCRIPTION_TYPE_", "").toLowerCase()),
  "ping",
];

export function LogFilterForm({ search, onChange }: Props) {
  const field = (name: keyof LogSearch) => ({
    size: "xs",
    value: search[name] ?? "",
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...search, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={labels.status}
        data={[
          { value: "", label: labels.anyStatus },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: webhooks.deliveryStatuses[value] })),
        ]}
        {...field("status")}
      />
      <NativeSelect
        label={labels.event}
        data={[
          { value: "", label: labels.anyEvent },
          ...EVENT_TYPES.map((value) => ({ value, label: value })),
        ]}
        {...field("event")}
      />
      <TextInput type="datetime-local" label={labels.since} {...field("since")} />
      <TextInput type="datetime-local" label={labels.until} {...field("until")} />
    </div>
  );
}
