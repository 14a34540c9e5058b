import type { ReactNode } from "react";
import { ItemTitle } from "@/kit/layout/Rows";
import { formatRelative, fullTime, shortDate } from "@/kit/text/times";
import { texts } from "@/texts";
import { managedKeys as labels } from "@/texts/managedKeys";
import { StatusTag } from "../StatusTag";
import { statesOf, type Key } from "./filter";
import classes from "./KeyTable.module.css";

interface Props {
  known: Key;
  picture: ReactNode;
  title: ReactNode;
  /** Lines below the title. */
  details: ReactNode;
  /** The menu. */
  children?: ReactNode;
}

/** A key in a table: its access, when it was used and when it expires, with tags for what is to be noticed. */
export function KeyRow({ known, picture, title, details, children }: Props) {
  return (
    <tr>
      <th scope="row" className={classes.name}>
        <div>
          {picture}
          <div className={classes.about}>
            <ItemTitle>{title}</ItemTitle>
            <div className={classes.more}>{details}</div>
          </div>
        </div>
      </th>
      <td data-label={labels.columns.access}>
        <Access known={known} />
      </td>
      <td data-label={labels.columns.used}>
        <LastUse known={known} />
      </td>
      <td data-label={labels.columns.ends}>
        <Expiry known={known} />
      </td>
      <td data-label={labels.columns.created}>
        <span title={fullTime(known.created_at)}>{shortDate(known.created_at)}</span>
      </td>
      <td className={classes.menu}>{children}</td>
    </tr>
  );
}

/** What a key may do and where it can be used, in a few words; the title names each. */
function Access({ known: { scopes, allowed_networks } }: { known: Key }) {
  return (
    <>
      <span title={scopes?.join(", ")}>{scopes ? labels.scopes(scopes.length) : labels.full}</span>
      {allowed_networks && (
        <span className={classes.networks} title={allowed_networks.join(", ")}>
          {labels.networks(allowed_networks.length)}
        </span>
      )}
    </>
  );
}

function LastUse({ known }: { known: Key }) {
  const now = new Date();
  const isUnused = statesOf(known, now).includes("unused");
  if (known.last_used_at === null && !isUnused)
    return <span className={classes.none}>{texts.apiKeys.unused}</span>;
  return (
    <span className={classes.tagged}>
      {known.last_used_at && (
        <span title={fullTime(known.last_used_at)}>{formatRelative(known.last_used_at, now)}</span>
      )}
      {isUnused && (
        <StatusTag tone="warn">{known.last_used_at ? labels.tags.unused : texts.apiKeys.unused}</StatusTag>
      )}
    </span>
  );
}

function Expiry({ known }: { known: Key }) {
  const states = statesOf(known, new Date());
  if (known.expires_at === null) return <span className={classes.none}>{labels.never}</span>;
  return (
    <span className={classes.tagged}>
      <span title={fullTime(known.expires_at)}>{shortDate(known.expires_at)}</span>
      {states.includes("ending") && <StatusTag tone="warn">{labels.tags.ending}</StatusTag>}
      {states.includes("expired") && <StatusTag tone="bad">{labels.tags.expired}</StatusTag>}
    </span>
  );
}
