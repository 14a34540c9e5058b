import { VisuallyHidden } from "@mantine/core";
import { Blocks, Cog, User } from "lucide-react";
import { administration } from "@/texts/administration";
import classes from "./EntryRow.module.css";
import type { Entry } from "./queries";

const ICONS: Record<string, typeof User> = { person: User, integration: Blocks, system: Cog };
const kinds: Record<string, string> = administration.audit.kinds;

/** An icon for the kind of actor: person, integration or system. */
export function ActorMark({ actor }: { actor: Entry["actor"] }) {
  const Icon = ICONS[actor.type] ?? Cog;
  return (
    <>
      <Icon size={15} aria-hidden className={classes.kind} />
      <VisuallyHidden>{kinds[actor.type] ?? actor.type}</VisuallyHidden>
    </>
  );
}
