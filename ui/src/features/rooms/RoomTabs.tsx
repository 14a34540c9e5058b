import { Link } from "@tanstack/react-router";
import { texts } from "@/texts";
import classes from "./RoomTabs.module.css";

const EXACT = { exact: true, includeSearch: true };

/** A room's two sides: what is said in it, and its page. */
export function RoomTabs({ isPage }: { isPage: boolean }) {
  return (
    <nav className={classes.tabs} aria-label={texts.rooms.sides}>
      <Link
        from="/o/$organizationId/rooms/$roomId"
        to="."
        search={{}}
        activeOptions={EXACT}
        data-active={!isPage || undefined}
      >
        {texts.rooms.messages}
      </Link>
      <Link
        from="/o/$organizationId/rooms/$roomId"
        to="."
        search={{ view: "page" }}
        activeOptions={EXACT}
        data-active={isPage || undefined}
      >
        {texts.rooms.page}
      </Link>
    </nav>
  );
}
