import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { webhooks } from "@/texts/webhooks";
import type { DeliveryOptions } from "./deliveryOptions";
import { MAX_LIMIT, ORDERINGS, rateOf } from "./deliveryOptions";
import { pausesOf } from "./pauses";

const labels = webhooks.form;
const LIMITS = Array.from({ length: Number(MAX_LIMIT) }, (_, index) => String(index + 1));

interface Props {
  value: DeliveryOptions;
  onChange: (changed: DeliveryOptions) => void;
}

/** When, in which order and how fast the deliveries of a webhook go out. */
export function DeliveryFields({ value, onChange }: Props) {
  const change = (changed: Partial<DeliveryOptions>) => onChange({ ...value, ...changed });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={labels.retries}
        description={labels.retriesHint}
        placeholder={labels.retriesExample}
        value={value.retries}
        error={pausesOf(value.retries) === null && labels.retriesRefused}
        onChange={(event) => change({ retries: event.currentTarget.value })}
      />
      <NativeSelect
        label={labels.timeLimit}
        description={labels.timeLimitHint}
        value={value.limit}
        data={LIMITS.map((each) => ({ value: each, label: labels.seconds(Number(each)) }))}
        onChange={(event) => change({ limit: event.currentTarget.value })}
      />
      <NativeSelect
        label={labels.ordering}
        description={labels.orderingHint}
        value={value.ordering}
        data={ORDERINGS.map((each) => ({ value: each, label: labels.orderings[each] }))}
        onChange={(event) =>
          change({ ordering: ORDERINGS.find((each) => each === event.currentTarget.value) ?? "none" })
        }
      />
      <TextInput
        label={labels.rate}
        description={labels.rateHint}
        placeholder={labels.rateExample}
        inputMode="numeric"
        value={value.rate}
        error={rateOf(value.rate) === undefined && labels.rateRefused}
        onChange={(event) => change({ rate: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
