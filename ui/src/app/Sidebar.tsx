import { Skeleton, VisuallyHidden } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { AdministrationLink } from "@/features/administration/AdministrationLink";
import { SpaceSection } from "@/features/rooms/SpaceSection";
import { InboxLinks } from "@/features/unread/InboxLinks";
import { Opener } from "@/kit/overlay/Opener";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { OrganizationMark } from "@/model/people/OrganizationMark";
import { useOwnOrganizations, useProfile } from "@/model/people/queries";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import classes from "./Sidebar.module.css";

interface Props {
  organizationId: string;
  onChosen: () => void;
}

/** The rooms by space, with their unread counts. */
export function Sidebar({ organizationId, onChosen }: Props) {
  const { spaces, isLoading } = useSpacesWithRooms(organizationId);
  const { data: unread } = useUnread(organizationId);
  return (
    <div className={classes.sidebar}>
      <div className={classes.organization}>
        <OrganizationName organizationId={organizationId} />
      </div>
      <InboxLinks organizationId={organizationId} onChosen={onChosen} />
      <nav className={classes.rooms} aria-label={texts.rooms.all}>
        {isLoading &&
          spaces.length === 0 &&
          [0, 1, 2, 3].map((each) => <Skeleton key={each} height={18} my={12} mx={8} width={160} />)}
        {!isLoading && spaces.length === 0 && <p className={classes.nothing}>{texts.spaces.none}</p>}
        {spaces.map(({ space, rooms }) => (
          <SpaceSection
            key={space.space_id}
            space={space}
            rooms={rooms}
            unread={unread?.rooms ?? []}
            onChosen={onChosen}
          />
        ))}
      </nav>
      <AdministrationLink onChosen={onChosen} />
      <div className={classes.person}>
        <PersonButton organizationId={organizationId} onChosen={onChosen} />
      </div>
    </div>
  );
}

const loadOrganizationMenu = () => import("./OrganizationMenu");
const OrganizationMenu = lazy(() => loadOrganizationMenu().then((m) => ({ default: m.OrganizationMenu })));

/** The current organization; for members of several, a button that opens their menu. */
function OrganizationName({ organizationId }: { organizationId: string }) {
  const all = useOwnOrganizations();
  const own = all.find((each) => each.organization_id === organizationId);
  const name = own && (
    <>
      <OrganizationMark name={own.name} />
      <bdi className={classes.text}>{own.name}</bdi>
    </>
  );
  if (all.length < 2) return <div className={classes.name}>{name}</div>;
  return (
    <Opener
      opens="menu"
      load={loadOrganizationMenu}
      button={
        <button
          type="button"
          className={classes.name}
          aria-label={texts.organizations.change(own?.name ?? "")}
        >
          {name}
          <ChevronDown size={16} aria-hidden />
        </button>
      }
    >
      <OrganizationMenu organizationId={organizationId} />
    </Opener>
  );
}

const loadPersonMenu = () => import("./PersonMenu");
const PersonMenu = lazy(() => loadPersonMenu().then((m) => ({ default: m.PersonMenu })));

/** The signed-in person: the button that opens the account menu. */
function PersonButton({ organizationId, onChosen }: Props) {
  const profile = useProfile();
  return (
    <Opener
      opens="menu"
      load={loadPersonMenu}
      button={
        <button type="button" className={classes.personButton}>
          <ActorAvatar organizationId={organizationId} actorId={profile.person_id} size={28} />
          <bdi className={classes.personName}>{profile.name}</bdi>
          <VisuallyHidden>{texts.people.menu}</VisuallyHidden>
        </button>
      }
    >
      <PersonMenu organizationId={organizationId} onChosen={onChosen} />
    </Opener>
  );
}
