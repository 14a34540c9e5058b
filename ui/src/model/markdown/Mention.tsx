import { use } from "react";
import { RoomContext } from "@/model/messages/roomContext";
import { ActorButton } from "@/model/people/ActorButton";
import { ActorName } from "@/model/people/ActorName";
import { useProfile } from "@/model/people/queries";
import classes from "./Markdown.module.css";

interface Props {
  organizationId: string;
  actorId: string;
}

export function Mention({ organizationId, actorId }: Props) {
  const isOwn = useProfile().person_id === actorId;
  const isInRoom = use(RoomContext) !== null; // elsewhere, as in search results, messages are inside links
  const name = (
    <span className={classes.mention} data-own={isOwn || undefined}>
      @<ActorName organizationId={organizationId} actorId={actorId} />
    </span>
  );
  if (!isInRoom) return name;
  return (
    <ActorButton organizationId={organizationId} actorId={actorId}>
      {name}
    </ActorButton>
  );
}
