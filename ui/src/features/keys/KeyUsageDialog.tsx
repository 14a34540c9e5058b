import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Dialog } from "@/kit/overlay/Dialog";
import { QueryResult } from "@/kit/layout/QueryResult";
import { AddressList } from "@/model/keys/usage/AddressList";
import { RouteTable } from "@/model/keys/usage/RouteTable";
import { countedSince, daysOf, routesOf, sumOf } from "@/model/keys/usage/usage";
import { keyUsage as labels } from "@/texts/keyUsage";
import { ownUsageOf, type PersonalKey } from "./queries";

interface Props {
  known: PersonalKey;
  onClose: () => void;
}

const RETENTION = 90;

/** What a personal key was used for, and where from. */
export function KeyUsageDialog({ known, onClose }: Props) {
  const usage = useQuery(ownUsageOf(known));
  return (
    <Dialog onClose={onClose} title={labels.of(known.name)} size="xl" centered>
      <QueryResult of={usage}>
        {(data) => {
          const since = countedSince(data);
          if (data.usage.length === 0)
            return (
              <Text>
                {labels.none(since)}. {labels.noneHint}
              </Text>
            );
          const { requests, forbidden, limited } = sumOf(daysOf(data, RETENTION, new Date()));
          return (
            <Stack gap="sm">
              <Text size="sm">{labels.lately(labels.total(requests, forbidden, limited), since)}</Text>
              <RouteTable routes={routesOf(data)} />
              <Title order={3} size="h5" mt="xs">
                {labels.addresses}
              </Title>
              <AddressList addresses={data.addresses} />
            </Stack>
          );
        }}
      </QueryResult>
    </Dialog>
  );
}
