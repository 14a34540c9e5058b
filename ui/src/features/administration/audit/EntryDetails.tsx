import { Anchor } from "@mantine/core";
import { Fragment } from "react";
import { fullTime } from "@/kit/text/times";
import { administration } from "@/texts/administration";
import { changedFields } from "./changes";
import classes from "./AuditPage.module.css";
import type { AuditFilters } from "./filters";
import type { Entry } from "./queries";

interface Props {
  entry: Entry;
  onChoose: (filters: AuditFilters) => void;
}

const labels = administration.audit;

/** The details of an entry: address, key, and values before and after. */
export function EntryDetails({ entry, onChoose }: Props) {
  const fields = changedFields(entry);
  const facts: [string, string | null][] = [
    [labels.when, fullTime(entry.at)],
    [labels.action, entry.action],
    [labels.address, entry.address],
    [labels.request, entry.request_id],
  ];
  const { actor, target, api_key_id: key } = entry;
  return (
    <div className={classes.details}>
      <dl className={classes.facts}>
        {facts.map(
          ([name, value]) =>
            value && (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
      {fields.length > 0 && (
        <dl className={classes.changes} aria-label={labels.changes}>
          {fields.map(({ name, before, after }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                {before !== null && <del>{before}</del>}
                {after !== null && <ins>{after}</ins>}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      <p className={classes.more}>
        {actor.id && (
          <Anchor component="button" type="button" onClick={() => onChoose({ actor: actor.id ?? "" })}>
            {labels.allBy(actor.name)}
          </Anchor>
        )}
        {target.id && (
          <Anchor component="button" type="button" onClick={() => onChoose({ target: target.id ?? "" })}>
            {labels.allTo(target.name ?? target.type)}
          </Anchor>
        )}
        {key && (
          <Anchor component="button" type="button" onClick={() => onChoose({ key })}>
            {labels.allWithKey}
          </Anchor>
        )}
      </p>
    </div>
  );
}
