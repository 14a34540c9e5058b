import { Combobox } from "@mantine/core";
import { Search } from "lucide-react";
import { shortDate } from "@/kit/text/times";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { RoomIcon } from "@/model/rooms/RoomIcon";
import type { SpaceMember } from "@/model/spaces/queries";
import { switcher as texts } from "@/texts/search";
import { MessageExcerpt } from "../MessageExcerpt";
import type { SearchResult } from "../queries";
import classes from "./SwitcherDialog.module.css";
import type { FoundRoom } from "./useFound";

export function RoomOption({ room, space }: FoundRoom) {
  return (
    <Combobox.Option value={`room ${room.room_id}`} className={classes.option}>
      <RoomIcon type={room.room_type} />
      <bdi className={classes.name}>{room.name}</bdi>
      <span className={classes.aside}>{room.archived_at ? texts.archived : space.name}</span>
    </Combobox.Option>
  );
}

export function PersonOption({ organizationId, person }: { organizationId: string; person: SpaceMember }) {
  return (
    <Combobox.Option value={`person ${person.actor_id}`} className={classes.option}>
      <ActorAvatar organizationId={organizationId} actorId={person.actor_id} size={22} />
      <bdi className={classes.name}>{person.name}</bdi>
      <span className={classes.aside}>{texts.showMessages}</span>
    </Combobox.Option>
  );
}

export function MessageOption({ organizationId, result }: { organizationId: string; result: SearchResult }) {
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

export function SearchOption({ value, children }: { value: string; children: string }) {
  return (
    <Combobox.Option value={value} className={classes.option}>
      <Search size={16} aria-hidden />
      <span className={classes.name}>{children}</span>
    </Combobox.Option>
  );
}
