import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { webhooks } from "@/texts/webhooks";
import { previewOf, type Subscription } from "../queries";

const SETTLES_MS = 400;

/** How many of the newest messages the subscriptions would have chosen. */
export function SubscriptionPreview({ organizationId, of }: { organizationId: string; of: Subscription[] }) {
  const [settled] = useDebouncedValue(of, SETTLES_MS);
  const { data } = useQuery({
    ...previewOf(organizationId, settled),
    enabled: settled.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!data || data.messages === 0 || of.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {webhooks.form.preview(data.chosen, data.messages)}
    </Text>
  );
}
