import { ActionIcon, Button, Popover, TextInput } from "@mantine/core";
import { CalendarSearch } from "lucide-react";
import { useState, type FormEvent } from "react";
import { boundsOf, dayOf, monthsBefore } from "@/kit/days";
import { useRoomContext } from "@/model/messages/roomContext";
import { timelineOf } from "@/model/messages/timelines";
import { texts } from "@/texts";
import classes from "./JumpToDate.module.css";
import { jumpTo } from "./jumpTo";

interface Props {
  /** The day that the room is shown at. */
  shown: string | undefined;
  onJump: (day: string) => void;
}

/** Jumps to a day in the room's history. */
export function JumpToDate({ shown, onJump }: Props) {
  const { room } = useRoomContext();
  const [isOpen, setOpen] = useState(false);
  const [day, setDay] = useState(shown ?? "");
  const now = new Date();
  const go = (chosen: string) => {
    setOpen(false);
    const bounds = boundsOf(chosen);
    if (chosen !== shown) onJump(chosen);
    else if (bounds) void jumpTo(timelineOf(room), bounds); // the same address opens nothing again
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (boundsOf(day)) go(day);
  };
  const choices = [
    { label: texts.rooms.jumps.week, day: dayOf(now, -7) },
    { label: texts.rooms.jumps.month, day: monthsBefore(now, 1) },
    { label: texts.rooms.jumps.beginning, day: dayOf(new Date(room.created_at)) },
  ];
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={240} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.rooms.jump}
          title={texts.rooms.jump}
          onClick={() => setOpen(!isOpen)}
        >
          <CalendarSearch size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.rooms.jump} className={classes.choices}>
        {choices.map((each) => (
          <Button key={each.label} variant="subtle" color="gray" justify="start" onClick={() => go(each.day)}>
            {each.label}
          </Button>
        ))}
        <form onSubmit={submit} className={classes.form}>
          <TextInput
            type="date"
            label={texts.rooms.jumps.date}
            max={dayOf(now)}
            required
            withAsterisk={false}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth mt={8}>
            {texts.rooms.jumps.go}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
