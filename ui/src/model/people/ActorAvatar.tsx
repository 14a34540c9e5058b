import { initialsOf, hueOf } from "@/kit/initials";
import classes from "./ActorAvatar.module.css";
import { useActor } from "./names";

interface Props {
  organizationId: string;
  actorId: string;
  size?: number;
}

/** Initials on a colour that is always the same for the same actor. */
export function ActorAvatar({ organizationId, actorId, size = 36 }: Props) {
  const actor = useActor(organizationId, actorId);
  const style = { "--size": `${size}px`, "--hue": hueOf(actorId) } as React.CSSProperties;
  return (
    <span className={classes.avatar} style={style} data-kind={actor?.actor_type} aria-hidden>
      {actor ? initialsOf(actor.name) : ""}
    </span>
  );
}
