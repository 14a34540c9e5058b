import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { AdministrationLink } from "@/features/administration/AdministrationLink";
import { SpaceSection } from "@/features/rooms/SpaceSection";
import { InboxLinks } from "@/features/unread/InboxLinks";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import classes from "./Sidebar.module.css";

// The menus are not needed to show a room, and what they are made of is large.
const OrganizationMenu = lazy(() =>
  import("./OrganizationMenu").then((module) => ({ default: module.OrganizationMenu })),
);
const PersonMenu = lazy(() => import("./PersonMenu").then((module) => ({ default: module.PersonMenu })));

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
        <Suspense>
          <OrganizationMenu organizationId={organizationId} />
        </Suspense>
      </div>
      <InboxLinks organizationId={organizationId} onChosen={onChosen} />
      <nav className={classes.rooms} aria-label={texts.rooms.all}>
        {isLoading &&
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
        <Suspense>
          <PersonMenu organizationId={organizationId} onChosen={onChosen} />
        </Suspense>
      </div>
    </div>
  );
}
