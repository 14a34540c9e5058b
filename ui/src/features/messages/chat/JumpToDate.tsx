import { ActionIcon } from "@mantine/core";
import { CalendarSearch } from "lucide-react";
import { lazy } from "react";
import { Opener } from "@/kit/overlay/Opener";
import { texts } from "@/texts";
import type { Jump } from "./JumpPopover";

const load = () => import("./JumpPopover");
/** Asks for the day to jump to, at the button of its kit/overlay/Opener. */
export const JumpPopover = lazy(() => load().then((m) => ({ default: m.JumpPopover })));

/** The button that jumps to a day in the room's history. */
export function JumpToDate(jump: Jump) {
  return (
    <Opener
      opens="dialog"
      load={load}
      button={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.rooms.jump}
          title={texts.rooms.jump}
        >
          <CalendarSearch size={18} />
        </ActionIcon>
      }
    >
      <JumpPopover {...jump} />
    </Opener>
  );
}
