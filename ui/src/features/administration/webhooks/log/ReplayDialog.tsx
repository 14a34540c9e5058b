import { Group, NativeSelect, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { ErrorAlert } from "@/kit/layout/ErrorAlert";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { showNotice } from "@/kit/overlay/notices";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import { replay } from "../actions";
import { momentOf } from "./format";
import { replayPreviewOf, webhookKeys, type Webhook } from "../queries";

const labels = workbench.replay;
const HOUR = 3_600_000;
const STATUSES = ["DELIVERY_STATUS_FAILED", "DELIVERY_STATUS_MISSED"] as const;

type Status = (typeof STATUSES)[number];

/** Chooses deliveries to send again, and shows how many there are before they are. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [opened] = useState(() => Date.now());
  const [period, setPeriod] = useState("720");
  const [custom, setCustom] = useState({ since: "", until: "" });
  const [status, setStatus] = useState<Status>("DELIVERY_STATUS_FAILED");
  const isCustom = period === "custom";
  const hours = isCustom ? 720 : Number(period);
  // The clock of the server may be ahead of this one.
  const end = new Date(opened + HOUR).toISOString();
  const since = (isCustom && momentOf(custom.since)) || new Date(opened - hours * HOUR).toISOString();
  const until = (isCustom && momentOf(custom.until)) || end;
  const previews = useQuery(replayPreviewOf(webhook, since, until));
  const countOf = (wanted: Status) => previews.data?.find((each) => each.status === wanted);
  const chosen = countOf(status);
  const send = useChange({
    change: () => replay(webhook, { since, until, status }),
    invalidates: webhookKeys,
    done: ({ replayed }) => {
      showNotice(webhooks.replay.done(replayed));
      onClose();
    },
    handlesErrors: true,
  });
  const timeField = (name: "since" | "until") => (
    <TextInput
      type="datetime-local"
      label={labels[name]}
      value={custom[name]}
      onChange={(event) => setCustom({ ...custom, [name]: event.currentTarget.value })}
    />
  );
  return (
    <FormDialog
      title={labels.title}
      hint={labels.hint}
      action={labels.confirm(chosen?.deliveries)}
      isIncomplete={!chosen?.deliveries}
      change={send}
      onSubmit={send.mutate}
      onClose={onClose}
    >
      <NativeSelect
        label={labels.period}
        value={period}
        data={Object.entries(labels.periods).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setPeriod(event.currentTarget.value)}
      />
      {isCustom && (
        <Group grow>
          {timeField("since")}
          {timeField("until")}
        </Group>
      )}
      <SegmentedControl
        fullWidth
        aria-label={labels.status}
        value={status}
        onChange={(value) => setStatus(value as Status)}
        data={STATUSES.map((value) => ({
          value,
          label: labels.choice(labels.statuses[value], countOf(value)?.deliveries),
        }))}
      />
      <ErrorAlert error={previews.error} />
      <Text size="sm" c="dimmed" role="status">
        {chosen &&
          (chosen.deliveries === 0 ? labels.nothing : labels.takes(chosen.deliveries, chosen.seconds))}
      </Text>
    </FormDialog>
  );
}
