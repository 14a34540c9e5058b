import type { Schemas } from "@/api/client";
import { exactTime } from "@/kit/times";
import { webhooks } from "@/texts/webhooks";
import { CodeBox } from "./CodeBox";
import classes from "./DeliveryDetails.module.css";

const labels = webhooks.log;

/** An attempt: the headers sent, and the response. */
export function AttemptDetails({ attempt }: { attempt: Schemas["Attempt"] }) {
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  const name = labels.attempt(attempt.attempt);
  return (
    <section className={classes.attempt}>
      <h3>
        {name} · {attempt.response_code ?? labels.noAnswer} · {labels.took(attempt.duration_ms)}
      </h3>
      <p className={classes.more}>{exactTime(attempt.attempted_at)}</p>
      {attempt.error && <p className={classes.error}>{attempt.error}</p>}
      <h4>{labels.request}</h4>
      <CodeBox label={`${name}: ${labels.request}`}>{headers.join("\n")}</CodeBox>
      {attempt.response_code !== null && (
        <>
          <h4>{labels.response}</h4>
          {attempt.response_excerpt ? (
            <CodeBox label={`${name}: ${labels.response}`}>{attempt.response_excerpt}</CodeBox>
          ) : (
            <p className={classes.more}>{labels.emptyAnswer}</p>
          )}
        </>
      )}
    </section>
  );
}
