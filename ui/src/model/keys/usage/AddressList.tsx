import { formatRelative, fullTime } from "@/kit/text/times";
import { keyUsage as labels } from "@/texts/keyUsage";
import classes from "./KeyUsage.module.css";
import type { KeyUsage } from "./usage";

/** The addresses that a key was used from, the last one first. */
export function AddressList({ addresses }: Pick<KeyUsage, "addresses">) {
  return (
    <ul className={classes.addresses} aria-label={labels.addresses}>
      {addresses.map(({ address, last_seen_at }) => (
        <li key={address}>
          <code>{address}</code>
          <span title={fullTime(last_seen_at)}>{labels.seen(formatRelative(last_seen_at, new Date()))}</span>
        </li>
      ))}
    </ul>
  );
}
