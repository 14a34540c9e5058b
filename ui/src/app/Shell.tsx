import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useEffect, useState } from "react";
import { Outlet, useLocation, useParams, useNavigate } from "@tanstack/react-router";
import { hasRole, useOrganization } from "@/features/administration/useOrganization";
import { ProfileCards } from "@/features/people/card/ProfileCards";
import { QuickSwitcher, quickSwitcher } from "@/features/search/switcher/QuickSwitcher";
import { Shortcuts } from "@/features/shortcuts/Shortcuts";
import { writeStorage } from "@/kit/data/storage";
import { useShortcuts } from "@/kit/input/shortcuts";
import { useSwipe } from "@/kit/input/swipe";
import { NotFoundPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { MenuContext, SearchContext } from "@/kit/layout/PageHeader";
import { setBadge } from "@/kit/layout/title";
import { useOwnOrganizations, useProfile } from "@/model/people/queries";
import { EmptyRoomContext } from "@/model/rooms/emptyRoom";
import { isUnread, neighbor, shownRooms } from "@/model/rooms/order";
import { useSpacesWithRooms, type Room } from "@/model/rooms/queries";
import { totalsOf } from "@/model/unread/counts";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { ConnectionNotice } from "./live/ConnectionNotice";
import { useLive } from "./live/useLive";
import classes from "./Shell.module.css";
import { Sidebar } from "./Sidebar";
import { TopBar } from "./TopBar";

// Wide windows never load the drawer.
const NarrowMenu = lazy(() => import("./NarrowMenu").then((module) => ({ default: module.NarrowMenu })));

const openSearch = () => quickSwitcher.set(true);

/** The frame of an organization: its rooms in the sidebar and one page. */
export function Shell() {
  const { organizationId, roomId } = useParams({ strict: false });
  const organization = useOwnOrganizations().find((each) => each.organization_id === organizationId);
  if (!organization) return <NotFoundPage />;
  return <Frame key={organization.organization_id} organization={organization} roomId={roomId ?? null} />;
}

interface Props {
  organization: { organization_id: string; name: string };
  roomId: string | null;
}

function Frame({ organization, roomId }: Props) {
  const organizationId = organization.organization_id;
  const profile = useProfile();
  const connection = useLive(organizationId, profile.person_id, roomId);
  const isWide = useMediaQuery("(min-width: 760px)", true, { getInitialValueInEffect: false });
  const [isOpen, { open, close }] = useDisclosure(false);
  const [content, setContent] = useState<HTMLElement | null>(null);
  useSwipe(isWide ? null : content, "right", open, false);
  const { pathname } = useLocation();
  const unread = useUnreadBadge(organizationId, roomId);
  useEffect(() => writeStorage("organization", organizationId), [organizationId]);
  useRoomShortcuts(organizationId, roomId);

  const sidebar = <Sidebar organizationId={organizationId} onChosen={close} />;
  return (
    <MenuContext value={isWide ? null : { open, unread }}>
      <a className={classes.skip} href="#content">
        {texts.app.skip}
      </a>
      <div className={classes.frame}>
        {isWide && <aside className={classes.side}>{sidebar}</aside>}
        {!isWide && (
          <Suspense>
            <NarrowMenu isOpen={isOpen} onClose={close}>
              {sidebar}
            </NarrowMenu>
          </Suspense>
        )}
        <div ref={setContent} className={classes.content} id="content" tabIndex={-1}>
          {isWide && <TopBar organization={organization.name} />}
          <ConnectionNotice connection={connection} />
          <Suspense fallback={<Loading />}>
            <SearchContext value={isWide ? null : openSearch}>
              <EmptyRoomContext value={showEmptyRoom}>
                <Outlet />
              </EmptyRoomContext>
            </SearchContext>
          </Suspense>
        </div>
      </div>
      <QuickSwitcher organizationId={organizationId} roomId={roomId} />
      <Shortcuts />
      <ProfileCards page={pathname} />
    </MenuContext>
  );
}

/**
 * Show the organization's unread count in the title and the icon of the tab. Return what is unread elsewhere than in the
 * open room: the number of messages that are meant for the reader, or whether there are others.
 */
function useUnreadBadge(organizationId: string, roomId: string | null): boolean | number {
  const { data } = useUnread(organizationId);
  useEffect(() => {
    const { direct, hasMore } = data ? totalsOf(data) : { direct: 0, hasMore: false };
    setBadge({ count: direct, hasMore });
  }, [data]);
  useEffect(() => () => setBadge({ count: 0, hasMore: false }), []);
  if (!data) return false;
  const { direct, hasMore } = totalsOf({
    ...data,
    rooms: data.rooms.filter((each) => each.room_id !== roomId),
  });
  return direct || hasMore;
}

/** Move between rooms, in the order of the sidebar, with the keyboard. */
function useRoomShortcuts(organizationId: string, roomId: string | null): void {
  const { spaces } = useSpacesWithRooms(organizationId);
  const { data } = useUnread(organizationId);
  const unread = data?.rooms ?? [];
  const navigate = useNavigate();
  const go = (step: 1 | -1, isWanted?: (room: Room) => boolean) => {
    const room = neighbor(shownRooms(spaces, unread), roomId, step, isWanted);
    if (!room) return false;
    const params = { organizationId, roomId: room.room_id };
    void navigate({ to: "/o/$organizationId/rooms/$roomId", params });
    return true;
  };
  const hasNews = (room: Room) => isUnread(room, unread);
  useShortcuts({
    previousRoom: () => go(-1),
    nextRoom: () => go(1),
    previousUnread: () => go(-1, hasNews),
    nextUnread: () => go(1, hasNews),
  });
}

const RoomFirstSteps = lazy(() => import("./RoomFirstSteps").then((m) => ({ default: m.RoomFirstSteps })));

/** A room without messages, which shows admins of a new organization what to do first. */
function EmptyRoom({ room }: { room: Room }) {
  const isAdmin = hasRole(useOrganization().role, "admin");
  return (
    isAdmin && (
      <Suspense>
        <RoomFirstSteps room={room} />
      </Suspense>
    )
  );
}

const showEmptyRoom = (room: Room) => <EmptyRoom room={room} />;
