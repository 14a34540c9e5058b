import { NativeSelect, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { webhooks } from "@/texts/webhooks";
import { workbench } from "@/texts/workbench";
import classes from "./Comparison.module.css";
import { compareHeaders, compareResponses, compareResults, differs, type NamedPair, type Pair } from "./diff";
import type { Attempt } from "../queries";

const labels = workbench.compare;

/** Two attempts of a delivery next to each other, with their differences marked. */
export function Comparison({ attempts }: { attempts: Attempt[] }) {
  const [leftNr, setLeft] = useState(attempts.length - 2);
  const [rightNr, setRight] = useState(attempts.length - 1);
  const [left, right] = [attempts[leftNr], attempts[rightNr]];
  if (!left || !right) return null;
  const results = compareResults(left, right);
  const headers = compareHeaders(left, right);
  const responses = compareResponses(left, right);
  const differences = [...results, ...headers, ...responses].filter(differs).length;
  const choice = (label: string, value: number, choose: (nr: number) => void) => (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      data={attempts.map((each, nr) => ({
        value: String(nr),
        label: labels.choice(each.attempt, each.response_code ?? webhooks.log.noAnswer),
      }))}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    />
  );
  return (
    <section className={classes.comparison} aria-label={labels.title}>
      <p role="status">{differences === 0 ? labels.same : labels.differences(differences)}</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{choice(labels.left, leftNr, setLeft)}</th>
            <th scope="col">{choice(labels.right, rightNr, setRight)}</th>
          </tr>
        </thead>
        <Rows pairs={results} />
        <Rows title={labels.headers} pairs={headers} isCode />
        <Rows
          title={labels.response}
          pairs={responses.map((pair, nr) => ({ ...pair, name: String(nr + 1) }))}
          isCode
        />
      </table>
    </section>
  );
}

function Rows({ title, pairs, isCode }: { title?: string; pairs: NamedPair[]; isCode?: boolean }) {
  if (pairs.length === 0) return null;
  return (
    <tbody data-code={isCode || undefined}>
      {title && (
        <tr>
          <th scope="rowgroup" colSpan={3} className={classes.title}>
            {title}
          </th>
        </tr>
      )}
      {pairs.map((pair) => (
        <tr key={pair.name} data-differs={differs(pair) || undefined}>
          <th scope="row">
            {pair.name}
            {differs(pair) && <VisuallyHidden> {labels.differs}</VisuallyHidden>}
          </th>
          <Side pair={pair} of="left" />
          <Side pair={pair} of="right" />
        </tr>
      ))}
    </tbody>
  );
}

function Side({ pair, of }: { pair: Pair; of: "left" | "right" }) {
  return <td data-missing={pair[of] === null || undefined}>{pair[of] ?? labels.rows.none}</td>;
}
