import { Button, NativeSelect } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { incoming } from "@/texts/incoming";
import { Section } from "../Section";
import { useOrganization } from "../useOrganization";
import classes from "./IncomingRooms.module.css";

/** A menu that leads to the incoming webhooks of a room. */
export function IncomingRooms() {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  const { spaces } = useSpacesWithRooms(organizationId);
  const [roomId, setRoomId] = useState("");
  const open = () =>
    void navigate({
      to: "/o/$organizationId/rooms/$roomId",
      params: { organizationId, roomId },
      search: { view: "incoming" },
    });
  return (
    <Section title={incoming.title} more={incoming.part}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <NativeSelect
          aria-label={incoming.room}
          value={roomId}
          onChange={(event) => setRoomId(event.currentTarget.value)}
        >
          <option value="">{incoming.choose}</option>
          {spaces.map(({ space, rooms }) => (
            <optgroup key={space.space_id} label={space.name}>
              {rooms
                .filter((each) => each.archived_at === null)
                .map((each) => (
                  <option key={each.room_id} value={each.room_id}>
                    {each.name}
                  </option>
                ))}
            </optgroup>
          ))}
        </NativeSelect>
        <Button type="submit" variant="default" disabled={!roomId}>
          {incoming.open}
        </Button>
      </form>
    </Section>
  );
}
