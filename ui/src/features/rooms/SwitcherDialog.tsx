import { Combobox, Modal, TextInput, useCombobox } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { fit } from "@/kit/matching";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import { texts } from "@/texts";
import classes from "./SwitcherDialog.module.css";

interface Props {
  organizationId: string;
  onClose: () => void;
}

const MAX = 12;
const SEARCH = "search";

export function SwitcherDialog({ organizationId, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const combobox = useCombobox({ opened: true });
  const { selectFirstOption } = combobox;
  const found = useFound(organizationId, typed);
  useEffect(() => {
    selectFirstOption();
  }, [typed, found.length, selectFirstOption]);

  const go = (value: string) => {
    onClose();
    if (value === SEARCH) {
      void navigate({
        to: "/o/$organizationId/search",
        params: { organizationId },
        search: { q: typed.trim() },
      });
    } else {
      void navigate({ to: "/o/$organizationId/rooms/$roomId", params: { organizationId, roomId: value } });
    }
  };
  return (
    <Modal.Root opened onClose={onClose} padding={0} size={560} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label={texts.rooms.find}>
        <Combobox store={combobox} onOptionSubmit={go} withinPortal={false}>
          <Combobox.EventsTarget>
            <TextInput
              aria-label={texts.rooms.find}
              placeholder={texts.rooms.findMore}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") onClose();
              }}
              leftSection={<Search size={17} aria-hidden />}
              variant="unstyled"
              size="lg"
              data-autofocus
            />
          </Combobox.EventsTarget>
          <div className={classes.list}>
            <Combobox.Options aria-label={texts.rooms.all}>
              {found.map(({ room, space }) => (
                <Combobox.Option key={room.room_id} value={room.room_id} className={classes.option}>
                  <RoomIcon type={room.room_type} />
                  <bdi className={classes.name}>{room.name}</bdi>
                  <span className={classes.space}>
                    {room.archived_at ? texts.rooms.archived : space.name}
                  </span>
                </Combobox.Option>
              ))}
              {typed.trim() && (
                <Combobox.Option value={SEARCH} className={classes.option}>
                  <Search size={16} aria-hidden />
                  {texts.search.messagesWith(typed.trim())}
                </Combobox.Option>
              )}
            </Combobox.Options>
          </div>
        </Combobox>
      </Modal.Content>
    </Modal.Root>
  );
}

function useFound(organizationId: string, typed: string) {
  const { spaces } = useSpacesWithRooms(organizationId);
  return spaces
    .flatMap(({ space, rooms }) => rooms.map((room) => ({ room, space, fits: fit(room.name, typed) })))
    .filter((each) => each.fits > 0 && (typed || each.room.archived_at === null))
    .sort((a, b) => b.fits - a.fits || latest(b.room) - latest(a.room))
    .slice(0, MAX);
}

const latest = (room: { last_message_at: string | null }): number =>
  Date.parse(room.last_message_at ?? "") || 0;
