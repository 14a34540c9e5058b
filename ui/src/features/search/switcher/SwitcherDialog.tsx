import { Button, Combobox, TextInput, useCombobox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useState, type KeyboardEvent } from "react";
import { BareDialog } from "@/kit/overlay/Dialog";
import { isPressed } from "@/kit/input/keys";
import { SHORTCUTS } from "@/kit/input/shortcuts";
import { roomOf } from "@/model/rooms/queries";
import { texts as common } from "@/texts";
import { switcher as texts } from "@/texts/search";
import { shortDate } from "@/kit/text/times";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { SpaceMember } from "@/model/spaces/queries";
import { queryOf } from "../filters/filters";
import { MessageExcerpt } from "../MessageExcerpt";
import type { SearchResult } from "../queries";
import classes from "./SwitcherDialog.module.css";
import { useFound, type Found, type FoundRoom } from "./useFound";

interface Props {
  organizationId: string;
  /** The room that is open; it can be searched alone. */
  roomId: string | null;
  onClose: () => void;
}

export function SwitcherDialog({ organizationId, roomId, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const combobox = useCombobox({ opened: true });
  const isNarrow = useMediaQuery("(max-width: 759px)", false, { getInitialValueInEffect: false });
  const found = useFound(organizationId, typed);
  const go = useGo(organizationId, found, typed.trim());
  useSelection(combobox, found, typed);
  const closeByKeys = (event: KeyboardEvent) => {
    const isSwitcher = SHORTCUTS.search.keys.some((each) => isPressed(each, event.nativeEvent));
    if (isSwitcher) event.preventDefault();
    if (isSwitcher || event.key === "Escape") onClose();
  };
  return (
    <BareDialog
      label={texts.title}
      onClose={onClose}
      padding={0}
      size={620}
      yOffset="10vh"
      fullScreen={isNarrow}
    >
      <Combobox
        store={combobox}
        onOptionSubmit={(value) => {
          onClose();
          go(value, roomId);
        }}
        withinPortal={false}
      >
        <div className={classes.field}>
          <Combobox.EventsTarget>
            <TextInput
              className={classes.words}
              aria-label={texts.title}
              placeholder={texts.placeholder}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={closeByKeys}
              leftSection={<Search size={17} aria-hidden />}
              variant="unstyled"
              size="lg"
              data-autofocus
            />
          </Combobox.EventsTarget>
          {isNarrow && (
            <Button variant="subtle" onClick={onClose}>
              {common.app.cancel}
            </Button>
          )}
        </div>
        <div className={classes.list}>
          <Options organizationId={organizationId} roomId={roomId} found={found} typed={typed.trim()} />
        </div>
      </Combobox>
    </BareDialog>
  );
}

interface OptionsProps extends Omit<Props, "onClose"> {
  found: Found;
  typed: string;
}

function Options({ organizationId, roomId, found, typed }: OptionsProps) {
  const { data: room } = useQuery({ ...roomOf(roomId ?? ""), enabled: roomId !== null });
  return (
    <Combobox.Options aria-label={texts.title}>
      <Group label={typed ? texts.rooms : texts.recent} isShown={found.rooms.length > 0}>
        {found.rooms.map((each) => (
          <RoomOption key={each.room.room_id} {...each} />
        ))}
      </Group>
      <Group label={texts.people} isShown={found.people.length > 0}>
        {found.people.map((each) => (
          <PersonOption key={each.actor_id} organizationId={organizationId} person={each} />
        ))}
      </Group>
      <Group label={texts.messages} isShown={found.messages.length > 0}>
        {found.messages.map((each) => (
          <MessageOption key={each.message_id} organizationId={organizationId} result={each} />
        ))}
      </Group>
      <Group label={texts.search} isShown={typed !== ""}>
        {room && <SearchOption value={IN_ROOM}>{texts.inRoom(room.name, typed)}</SearchOption>}
        <SearchOption value={EVERYWHERE}>{texts.everywhere(typed)}</SearchOption>
      </Group>
    </Combobox.Options>
  );
}

function Group({ label, isShown, children }: { label: string; isShown: boolean; children: React.ReactNode }) {
  return isShown ? <Combobox.Group label={label}>{children}</Combobox.Group> : null;
}

const IN_ROOM = "search room";
const EVERYWHERE = "search";

/** Select the first room or person; without one, the search, also while messages are still being found. */
function useSelection(combobox: ReturnType<typeof useCombobox>, found: Found, typed: string): void {
  const { selectOption } = combobox;
  const named = found.rooms.length + found.people.length;
  const last = found.messages.length; // of the options
  useEffect(() => {
    const options = document.querySelectorAll("[role=dialog] [role=option]").length;
    selectOption(named > 0 ? 0 : options - 1);
  }, [typed, named, last, selectOption]);
}

/** Go to what was chosen. */
function useGo(organizationId: string, found: Found, typed: string) {
  const navigate = useNavigate();
  const search = (q: string) =>
    void navigate({ to: "/o/$organizationId/search", params: { organizationId }, search: { q } });
  const openRoom = (roomId: string, result?: Found["messages"][number]) =>
    void navigate({
      to: "/o/$organizationId/rooms/$roomId",
      params: { organizationId, roomId },
      search: { message: result?.message_id, thread: result?.thread_root_id ?? undefined },
    });
  return (value: string, openRoomId: string | null) => {
    const [kind, id = ""] = value.split(" ");
    if (value === EVERYWHERE) return search(typed);
    if (value === IN_ROOM)
      return search(queryOf({ words: typed, filters: [{ name: "in", value: openRoomId ?? "" }] }));
    if (kind === "person") return search(queryOf({ words: "", filters: [{ name: "from", value: id }] }));
    const result = found.messages.find((each) => each.message_id === id);
    openRoom(result?.room_id ?? id, result);
  };
}

function RoomOption({ room, space }: FoundRoom) {
  return (
    <Combobox.Option value={`room ${room.room_id}`} className={classes.option}>
      <RoomIcon type={room.room_type} />
      <bdi className={classes.name}>{room.name}</bdi>
      <span className={classes.aside}>{room.archived_at ? texts.archived : space.name}</span>
    </Combobox.Option>
  );
}

function PersonOption({ organizationId, person }: { organizationId: string; person: SpaceMember }) {
  return (
    <Combobox.Option value={`person ${person.actor_id}`} className={classes.option}>
      <ActorAvatar organizationId={organizationId} actorId={person.actor_id} size={22} />
      <bdi className={classes.name}>{person.name}</bdi>
      <span className={classes.aside}>{texts.showMessages}</span>
    </Combobox.Option>
  );
}

function MessageOption({ organizationId, result }: { organizationId: string; result: SearchResult }) {
  return (
    <Combobox.Option value={`message ${result.message_id}`} className={classes.option}>
      <ActorAvatar organizationId={organizationId} actorId={result.user_id} size={22} />
      <span className={classes.message}>
        <span className={classes.head}>
          <b>
            <bdi>{result.sender_name}</bdi>
          </b>{" "}
          <bdi>{result.room_name}</bdi> · {shortDate(result.sent_at)}
        </span>
        <span className={classes.excerpt}>
          <MessageExcerpt organizationId={organizationId} excerpt={result.excerpt} />
        </span>
      </span>
    </Combobox.Option>
  );
}

function SearchOption({ value, children }: { value: string; children: string }) {
  return (
    <Combobox.Option value={value} className={classes.option}>
      <Search size={16} aria-hidden />
      <span className={classes.name}>{children}</span>
    </Combobox.Option>
  );
}
