import type { CSSProperties } from "react";
import { isExpired } from "@/model/keys/limits";
import { Fact, Facts } from "@/kit/layout/Facts";
import { ProgressBar } from "@/kit/layout/ProgressBar";
import { dateAndTime, formatRelative, shortDate } from "@/kit/text/times";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { managedKeys } from "@/texts/managedKeys";
import { statesOf } from "../keys/filter";
import { StatusTag } from "../StatusTag";
import classes from "./KeyPage.module.css";
import { daysLeft } from "./narrowing";
import type { ApiKey } from "./queries";

const labels = managedKeys.page;

/** When a key was created, used last and expires. */
export function KeyFacts({ known }: { known: ApiKey }) {
  const now = new Date();
  const states = statesOf(known, now);
  return (
    <Facts>
      <Fact label={labels.key}>
        <dd>
          <code className={classes.key}>atro_…{known.last_four}</code>
        </dd>
      </Fact>
      <Fact label={labels.created}>
        <dd>
          {shortDate(known.created_at)}
          {known.created_by && (
            <span className={classes.by}>
              {labels.by} <ActorName organizationId={known.organization_id} actorId={known.created_by} />
            </span>
          )}
        </dd>
      </Fact>
      <Fact label={labels.used}>
        <dd title={known.last_used_at ? dateAndTime(known.last_used_at) : undefined}>
          {known.last_used_at ? formatRelative(known.last_used_at, now) : texts.apiKeys.unused}{" "}
          {states.includes("unused") && <StatusTag tone="warn">{managedKeys.states.unused}</StatusTag>}
        </dd>
      </Fact>
      <Fact label={labels.ends}>
        <Expiry known={known} now={now} />
      </Fact>
    </Facts>
  );
}

const BAR = { ending: "#d99a1c", expired: "#d6453a" } as const;

/** When a key expires, with its days left as a bar. */
function Expiry({ known, now }: { known: ApiKey; now: Date }) {
  const days = daysLeft(known, now);
  if (days === null || known.expires_at === null) return <dd>{managedKeys.never}</dd>;
  const state = statesOf(known, now).find((each) => each === "ending" || each === "expired");
  const style = state && ({ "--bar": BAR[state] } as CSSProperties);
  return (
    <dd className={classes.expiry} style={style}>
      <span title={dateAndTime(known.expires_at)}>{shortDate(known.expires_at)}</span>{" "}
      {state && <StatusTag tone={state === "ending" ? "warn" : "bad"}>{managedKeys.tags[state]}</StatusTag>}
      {!isExpired(known, now) && (
        <>
          <ProgressBar label={labels.lifetime(days.left, days.of)} done={days.left} total={days.of} />
          <span className={classes.days}>{labels.daysLeft(days.left)}</span>
        </>
      )}
    </dd>
  );
}
