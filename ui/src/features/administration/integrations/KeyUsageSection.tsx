import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { AddressList } from "@/model/keys/usage/AddressList";
import { RouteTable } from "@/model/keys/usage/RouteTable";
import { countedSince, daysOf, routesOf, sumOf, type KeyUsage } from "@/model/keys/usage/usage";
import { keyUsage as labels } from "@/texts/keyUsage";
import { ChartCard } from "../charts/ChartCard";
import { periodsOf, type Series } from "../charts/series";
import { Section } from "../Section";
import { usageOf, type ApiKey } from "./queries";

type Period = keyof typeof labels.periods;

const SERIES: Series[] = [
  { name: "allowed", title: labels.series.allowed, tone: "main" },
  { name: "forbidden", title: labels.series.forbidden, tone: "bad" },
  { name: "limited", title: labels.series.limited, tone: "missed" },
];

/** What a key did: its requests by day and by route, and where they came from. */
export function KeyUsageSection({ known }: { known: ApiKey }) {
  const usage = useQuery(usageOf(known));
  const [period, setPeriod] = useState<Period>("30");
  const isUsed = usage.data && usage.data.usage.length > 0;
  const since = usage.data && countedSince(usage.data);
  const periods = (
    <SegmentedControl
      size="xs"
      aria-label={labels.period}
      value={period}
      onChange={(value) => setPeriod(value as Period)}
      data={Object.entries(labels.periods).map(([value, label]) => ({ value, label }))}
    />
  );
  return (
    <Section title={labels.title} hint={since && labels.hint(since)} action={isUsed && periods}>
      <QueryResult of={usage}>
        {(data) =>
          data.usage.length > 0 ? (
            <Used usage={data} days={Number(period)} />
          ) : (
            <EmptyState
              icon={<ChartNoAxesColumn size={22} aria-hidden />}
              title={labels.none(countedSince(data))}
            >
              {labels.noneHint}
            </EmptyState>
          )
        }
      </QueryResult>
    </Section>
  );
}

function Used({ usage, days }: { usage: KeyUsage; days: number }) {
  const all = daysOf(usage, days, new Date());
  const { requests, forbidden, limited } = sumOf(all);
  return (
    <>
      <ChartCard
        title={labels.perDay}
        sum={labels.total(requests, forbidden, limited)}
        periods={periodsOf(all)}
        series={SERIES}
      />
      <Section title={labels.routes}>
        <RouteTable routes={routesOf(usage, all[0]?.date)} />
      </Section>
      <Section title={labels.addresses} hint={labels.addressesHint}>
        <AddressList addresses={usage.addresses} />
      </Section>
    </>
  );
}
