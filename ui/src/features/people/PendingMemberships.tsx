import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { useChange } from "@/kit/data/useChange";
import { Loading } from "@/kit/layout/Loading";
import classes from "@/kit/layout/SettingsList.module.css";
import { formatRelative } from "@/kit/text/times";
import {
  acceptMembership,
  declineMembership,
  ownOrganizations,
  pendingMemberships,
  type PendingMembership,
} from "@/model/people/queries";
import { pendingMemberships as labels } from "@/texts/pendingMemberships";

/** The organizations that added the person, and wait for an answer. */
export function PendingMemberships() {
  const { data: pending } = useQuery(pendingMemberships);
  if (!pending) return <Loading />;
  return (
    <ul className={classes.keys}>
      {pending.map((each) => (
        <PendingRow key={each.organization_id} pending={each} />
      ))}
    </ul>
  );
}

function PendingRow({ pending }: { pending: PendingMembership }) {
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const list = row.current?.parentElement;
    return () => queueMicrotask(() => passFocusTo(list));
  }, []);
  const invalidates = [ownOrganizations.queryKey, pendingMemberships.queryKey];
  const accept = useChange({ change: acceptMembership, invalidates, done: labels.accepted(pending.name) });
  const decline = useChange({ change: declineMembership, invalidates, done: labels.declined(pending.name) });
  return (
    <li ref={row}>
      <div className={classes.about}>
        <b>{pending.name}</b>
        <span>{labels.since(formatRelative(pending.created_at, new Date()))}</span>
      </div>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          loading={decline.isPending}
          disabled={accept.isPending}
          aria-label={labels.declineOf(pending.name)}
          onClick={() => decline.mutate(pending)}
        >
          {labels.decline}
        </Button>
        <Button
          size="compact-sm"
          loading={accept.isPending}
          disabled={decline.isPending}
          aria-label={labels.acceptOf(pending.name)}
          onClick={() => accept.mutate(pending)}
        >
          {labels.accept}
        </Button>
      </Group>
    </li>
  );
}

/** When the row that had the focus is gone, give the focus to the next answer, or to the page. */
function passFocusTo(list: HTMLElement | null | undefined): void {
  if (document.activeElement !== document.body) return;
  const next = list?.isConnected ? list.querySelector("button") : null;
  (next ?? document.getElementById("content"))?.focus({ preventScroll: true });
}
