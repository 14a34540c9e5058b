import { VisuallyHidden } from "@mantine/core";
import { lazy, useState } from "react";
import { Opener } from "@/kit/overlay/Opener";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { useProfile } from "@/model/people/queries";
import { texts } from "@/texts";
import classes from "./PersonButton.module.css";

const load = () => import("./PersonMenu");
const PersonMenu = lazy(() => load().then((m) => ({ default: m.PersonMenu })));

interface Props {
  organizationId: string;
  onChosen: () => void;
}

/** The signed-in person: the button that opens the account menu. */
export function PersonButton({ organizationId, onChosen }: Props) {
  const profile = useProfile();
  const [isOpen, setOpen] = useState(false);
  return (
    <Opener
      isOpen={isOpen}
      onChange={setOpen}
      opens="menu"
      load={load}
      button={
        <button type="button" className={classes.person}>
          <ActorAvatar organizationId={organizationId} actorId={profile.person_id} size={28} />
          <bdi className={classes.name}>{profile.name}</bdi>
          <VisuallyHidden>{texts.people.menu}</VisuallyHidden>
        </button>
      }
    >
      <PersonMenu organizationId={organizationId} onChosen={onChosen} />
    </Opener>
  );
}
