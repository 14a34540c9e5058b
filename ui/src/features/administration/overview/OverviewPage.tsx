import { Alert, SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery, queryOptions } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { QueryResult } from "@/kit/layout/QueryResult";
import links from "@/kit/text/InlineLink.module.css";
import { administration } from "@/texts/administration";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { AdministrationPage } from "../AdministrationPage";
import { ChartCard } from "../charts/ChartCard";
import { periodsOf, type Series } from "../charts/series";
import { FirstSteps } from "../firstSteps/FirstSteps";
import { useOrganization } from "../useOrganization";
import classes from "./OverviewPage.module.css";

const labels = administration.overview;

interface DaySeries extends Series {
  name: Exclude<keyof Day, "date">;
}

const MESSAGES: DaySeries[] = [{ name: "messages", title: labels.series.messages, tone: "main" }];
const PEOPLE: DaySeries[] = [{ name: "people", title: labels.series.people, tone: "main" }];
const DELIVERIES: DaySeries[] = [
  { name: "deliveries_succeeded", title: labels.series.deliveries_succeeded, tone: "good" },
  { name: "deliveries_under_way", title: labels.series.deliveries_under_way, tone: "quiet" },
  { name: "deliveries_failed", title: labels.series.deliveries_failed, tone: "bad" },
  { name: "deliveries_missed", title: labels.series.deliveries_missed, tone: "missed" },
];

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
    <AdministrationPage page="overview" action={action}>
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
                {labels.pausedHint}{" "}
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
              sum={labels.peopleHint}
              periods={periodsOf(all)}
              series={PEOPLE}
            />
          </>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}

const SHOWN = ["active_people", "integrations", "spaces", "rooms"] as const;

/** The current numbers of people, integrations, spaces and rooms. */
function Counters({ counts }: { counts: Overview["counts"] }) {
  const more = [
    counts.invited_people > 0 && labels.invited(counts.invited_people),
    counts.deactivated_people > 0 && labels.deactivated(counts.deactivated_people),
  ].filter(Boolean);
  return (
    <dl className={classes.figures} aria-label={labels.now}>
      {SHOWN.map((name) => (
        <div key={name}>
          <dt>{labels.counts[name]}</dt>
          <dd>{counts[name].toLocaleString()}</dd>
          {name === "active_people" && more.length > 0 && (
            <dd className={classes.more}>{more.join(" · ")}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

type Overview = Schemas["Overview"];
type Day = Overview["days"][number];

const overviewOf = (organizationId: string, days: number) =>
  queryOptions({
    queryKey: ["administration", organizationId, "overview", days],
    staleTime: 30_000,
    queryFn: () =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/overview", {
          params: { path: { organization_id: organizationId }, query: { days } },
        }),
      ),
  });
