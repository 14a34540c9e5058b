import { texts } from "@/texts";
import { useActor } from "./names";

interface Props {
  organizationId: string;
  actorId: string;
}

/** The name of a person or an integration. */
export function ActorName({ organizationId, actorId }: Props) {
  const actor = useActor(organizationId, actorId);
  return <bdi>{actor === undefined ? "…" : (actor?.name ?? texts.people.unknown)}</bdi>;
}
