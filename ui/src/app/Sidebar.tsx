import { Skeleton } from "@mantine/core";
import { AdministrationLink } from "@/features/administration/AdministrationLink";
import { SpaceSection } from "@/features/rooms/SpaceSection";
import { InboxLinks } from "@/features/unread/InboxLinks";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { OrganizationName } from "./OrganizationName";
import { PersonButton } from "./PersonButton";
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
