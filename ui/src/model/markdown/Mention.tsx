import { ActorName } from "@/model/people/ActorName";
import { useProfile } from "@/model/people/queries";
import classes from "./Markdown.module.css";

interface Props {
  organizationId: string;
  actorId: string;
}

export function Mention({ organizationId, actorId }: Props) {
  const isOwn = useProfile().person_id === actorId;
  return (
    <span className={classes.mention} data-own={isOwn || undefined}>
      @<ActorName organizationId={organizationId} actorId={actorId} />
    </span>
  );
}
