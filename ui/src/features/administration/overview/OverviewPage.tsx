import { Alert, SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import links from "@/kit/text/InlineLink.module.css";
import { QueryResult } from "@/kit/layout/QueryResult";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { ChartCard } from "../charts/ChartCard";
import { periodsOf } from "../charts/series";
import { FirstSteps } from "../firstSteps/FirstSteps";
import { useOrganization } from "../useOrganization";
import { Counters } from "./Counters";
import { overviewOf, type Day } from "./queries";
import { DELIVERIES, MESSAGES, PEOPLE, type DaySeries } from "./series";

const labels = administration.overview;
const total = (days: Day[], ...series: DaySeries["name"][]): number =>
  days.reduce((sum, day) => sum + series.reduce((all, name) => all + day[name], 0), 0);

/** The organization's activity in numbers and charts. */
export function OverviewPage() {
  const { organizationId } = useOrganization();
  const [days, setDays] = useState<keyof typeof labels.periods>("30");
  const overview = useQuery({
    ...overviewOf(organizationId, Number(days)),
    placeholderData: keepPreviousData,
  });
  const action = (
    <SegmentedControl
      size="xs"
      aria-label={labels.period}
      value={days}
      onChange={(value) => setDays(value as typeof days)}
      data={Object.entries(labels.periods).map(([value, label]) => ({ value, label }))}
    />
  );
  return (
    <AdministrationPage {...administration.pages.overview} needs="reader" action={action}>
      <FirstSteps />
      <QueryResult of={overview}>
        {({ counts, days: all }) => (
          <>
            {counts.paused_webhooks > 0 && (
              <Alert
                color="orange"
                mb="md"
                icon={<TriangleAlert size={18} aria-hidden />}
                title={labels.paused(counts.paused_webhooks)}
              >
                {labels.pausedMore}{" "}
                <Link
                  to="/o/$organizationId/administration/webhooks"
                  params={{ organizationId }}
                  className={links.link}
                >
                  {labels.pausedLink(counts.paused_webhooks)}
                </Link>
              </Alert>
            )}
            <Counters counts={counts} />
            <ChartCard
              title={labels.messages}
              sum={labels.messagesTotal(total(all, "messages"))}
              periods={periodsOf(all)}
              series={MESSAGES}
            />
            <ChartCard
              title={labels.deliveries}
              sum={labels.deliveriesTotal(
                total(all, ...DELIVERIES.map(({ name }) => name)),
                total(all, "deliveries_failed", "deliveries_missed"),
              )}
              periods={periodsOf(all)}
              series={DELIVERIES}
            />
            <ChartCard
              title={labels.people}
              sum={labels.peopleMore}
              periods={periodsOf(all)}
              series={PEOPLE}
            />
          </>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}
