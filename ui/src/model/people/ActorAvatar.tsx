import { colorOf, initialsOf } from "@/kit/text/initials";
import classes from "./Actor.module.css";
import { useActor } from "./names";

interface Props {
  organizationId: string;
  actorId: string;
  size?: number;
}

/** An actor's initials on a color that depends on the id. */
export function ActorAvatar({ organizationId, actorId, size = 36 }: Props) {
  const actor = useActor(organizationId, actorId);
  const style = { "--size": `${size}px`, background: colorOf(actorId) } as React.CSSProperties;
  return (
    <span className={classes.avatar} style={style} data-type={actor?.actor_type} aria-hidden>
      {actor ? initialsOf(actor.name) : ""}
    </span>
  );
}
