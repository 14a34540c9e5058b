import { ScrollText, ChevronRight, Blocks, Cog, User } from "lucide-react";
import { useState } from "react";
import { VisuallyHidden } from "@mantine/core";
import { EmptyState } from "@/kit/layout/EmptyState";
import { Rows } from "@/kit/layout/Rows";
import { browserOf } from "@/kit/text/browser";
import { formatRelative, fullTime } from "@/kit/text/times";
import { administration } from "@/texts/administration";
import { EntryDetails } from "./EntryDetails";
import classes from "./AuditPage.module.css";
import type { AuditFilters } from "./filters";
import type { Entry } from "./queries";

interface Props {
  entries: Entry[];
  /** Shown if there are no entries. */
  nothing?: string;
  onChoose: (filters: AuditFilters) => void;
}

const labels = administration.audit;

export function EntryList({ entries, nothing = labels.none, onChoose }: Props) {
  if (entries.length === 0) return <EmptyState icon={<ScrollText size={22} aria-hidden />} title={nothing} />;
  return (
    <Rows label={labels.entries}>
      {entries.map((each) => (
        <EntryRow key={each.entry_id} entry={each} onChoose={onChoose} />
      ))}
    </Rows>
  );
}

interface EntryRowProps {
  entry: Entry;
  onChoose: (filters: AuditFilters) => void;
}
const actions: Record<string, string> = labels.actions;
const roles: Record<string, string> = administration.roles;

/** Return the object of an entry's sentence: none if actor and target are the same; the browser for a session. */
function objectOf({ actor, target }: Entry): string | null {
  if (!target.name || target.id === actor.id) return null;
  return target.type === "session" ? browserOf(target.name) : target.name;
}

/** Return the roles before and after, if a role was changed. */
function roleChangeOf({ action, before, after }: Entry): string {
  const [from, to] = [before, after].map((side) => roles[String(side?.role)]);
  return action === "member.role_changed" && from && to ? labels.roleChange(from, to) : "";
}

/** An entry in one line, which expands to its details. */
function EntryRow({ entry, onChoose }: EntryRowProps) {
  const [isOpen, setOpen] = useState(false);
  const object = objectOf(entry);
  return (
    <li className={classes.entry} data-refused={entry.action === "request.refused" || undefined}>
      <button type="button" className={classes.line} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={15} aria-hidden className={classes.arrow} />
        <span className={classes.what}>
          <ActorMark actor={entry.actor} /> <bdi className={classes.who}>{entry.actor.name}</bdi>{" "}
          {actions[entry.action] ?? entry.action} {object && <bdi className={classes.target}>{object}</bdi>}{" "}
          {roleChangeOf(entry)}
        </span>
        <time dateTime={entry.at} title={fullTime(entry.at)} className={classes.when}>
          {formatRelative(entry.at, new Date())}
        </time>
      </button>
      {isOpen && <EntryDetails entry={entry} onChoose={onChoose} />}
    </li>
  );
}

const ICONS: Record<string, typeof User> = { person: User, integration: Blocks, system: Cog };
const kinds: Record<string, string> = administration.audit.kinds;

/** An icon for the kind of actor: person, integration or system. */
function ActorMark({ actor }: { actor: Entry["actor"] }) {
  const Icon = ICONS[actor.type] ?? Cog;
  return (
    <>
      <Icon size={15} aria-hidden className={classes.kind} />
      <VisuallyHidden>{kinds[actor.type] ?? actor.type}</VisuallyHidden>
    </>
  );
}
