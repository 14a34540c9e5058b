import { Menu } from "@mantine/core";
import { useState } from "react";
import { usePeople } from "@/model/people/usePeople";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { search as texts } from "@/texts/search";
import { AddButton } from "./AddButton";
import { AddDate } from "./AddDate";
import classes from "./AddFilter.module.css";
import { Choice } from "./Choice";
import { HAS, MYSELF, type Filter } from "./filters";

interface Props {
  organizationId: string;
  onAdd: (filter: Filter) => void;
}

/** Buttons that add a filter to a search: who sent it, where, when, and what it contains. */
export function AddFilter({ organizationId, onAdd }: Props) {
  return (
    <div className={classes.buttons}>
      <AddSender organizationId={organizationId} onAdd={onAdd} />
      <AddPlace organizationId={organizationId} onAdd={onAdd} />
      <AddDate onAdd={onAdd} />
      <Menu position="bottom-start" width={180} withinPortal={false}>
        <Menu.Target>
          <AddButton>{texts.add.has}</AddButton>
        </Menu.Target>
        <Menu.Dropdown>
          {HAS.map((value) => (
            <Menu.Item key={value} onClick={() => onAdd({ name: "has", value })}>
              {texts.has[value]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function AddSender({ organizationId, onAdd }: Props) {
  const [isOpened, setOpened] = useState(false);
  const people = usePeople(organizationId, isOpened);
  return (
    <Choice
      label={texts.add.from}
      find={texts.findPerson}
      nothing={texts.nobody}
      options={[
        { value: MYSELF, label: texts.fromMe },
        ...people.map(({ actor_id, name }) => ({ value: actor_id, label: name })),
      ]}
      onOpen={() => setOpened(true)}
      onChoose={(value) => onAdd({ name: "from", value })}
    />
  );
}

function AddPlace({ organizationId, onAdd }: Props) {
  const { spaces } = useSpacesWithRooms(organizationId);
  return (
    <Choice
      label={texts.add.in}
      find={texts.findRoom}
      nothing={texts.noRoom}
      options={spaces.flatMap(({ space, rooms }) =>
        rooms.map(({ room_id, name }) => ({ value: room_id, label: name, hint: space.name })),
      )}
      onChoose={(value) => onAdd({ name: "in", value })}
    />
  );
}
