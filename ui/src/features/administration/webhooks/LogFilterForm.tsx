import { NativeSelect, TextInput } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { webhooks } from "@/texts/webhooks";
import classes from "./DeliveryLog.module.css";
import { DELIVERY_STATUSES } from "./model";

/** The filters as the address keeps them; times are local ones. */
export interface AskedLog {
  status?: string;
  event?: string;
  since?: string;
  until?: string;
}

interface Props {
  asked: AskedLog;
  onChange: (asked: AskedLog) => void;
}

const said = webhooks.log;
const EVENT_TYPES: Schemas["WebhookEvent"]["event_type"][] = [
  "message_sent",
  "room_recording_transcript_published",
  "ping",
];

export function LogFilterForm({ asked, onChange }: Props) {
  const field = (name: keyof AskedLog) => ({
    size: "xs",
    value: asked[name] ?? "",
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...asked, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={said.status}
        data={[
          { value: "", label: said.anyStatus },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: webhooks.deliveryStatuses[value] })),
        ]}
        {...field("status")}
      />
      <NativeSelect
        label={said.event}
        data={[{ value: "", label: said.anyEvent }, ...EVENT_TYPES.map((value) => ({ value, label: value }))]}
        {...field("event")}
      />
      <TextInput type="datetime-local" label={said.since} {...field("since")} />
      <TextInput type="datetime-local" label={said.until} {...field("until")} />
    </div>
  );
}
