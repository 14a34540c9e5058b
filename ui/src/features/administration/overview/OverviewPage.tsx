import { Alert, SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { QueryResult } from "@/kit/QueryResult";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { useOrganization } from "../useOrganization";
import { ChartCard } from "./ChartCard";
import { Figures } from "./Figures";
import { overviewOf, type Day } from "./queries";
import { DELIVERIES, MESSAGES, PEOPLE, type Series } from "./series";

const said = administration.overview;
const total = (days: Day[], ...series: Series["name"][]): number =>
  days.reduce((sum, day) => sum + series.reduce((all, name) => all + day[name], 0), 0);

/** The organization in figures. */
export function OverviewPage() {
  const { organizationId } = useOrganization();
  const [days, choose] = useState<keyof typeof said.periods>("30");
  const overview = useQuery({
    ...overviewOf(organizationId, Number(days)),
    placeholderData: keepPreviousData,
  });
  const action = (
    <SegmentedControl
      size="xs"
      aria-label={said.period}
      value={days}
      onChange={(value) => choose(value as typeof days)}
      data={Object.entries(said.periods).map(([value, label]) => ({ value, label }))}
    />
  );
  return (
    <AdministrationPage {...administration.pages.overview} needs="reader" action={action}>
      <QueryResult of={overview}>
        {({ counts, days: all }) => (
          <>
            {counts.paused_webhooks > 0 && (
              <Alert
                color="orange"
                mb="md"
                icon={<TriangleAlert size={18} aria-hidden />}
                title={said.paused(counts.paused_webhooks)}
              >
                {said.pausedMore}
              </Alert>
            )}
            <Figures counts={counts} />
            <ChartCard
              title={said.messages}
              sum={said.messagesTotal(total(all, "messages"))}
              days={all}
              series={MESSAGES}
            />
            <ChartCard
              title={said.deliveries}
              sum={said.deliveriesTotal(
                total(all, ...DELIVERIES.map(({ name }) => name)),
                total(all, "deliveries_failed", "deliveries_missed"),
              )}
              days={all}
              series={DELIVERIES}
            />
            <ChartCard title={said.people} sum={said.peopleMore} days={all} series={PEOPLE} />
          </>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}
