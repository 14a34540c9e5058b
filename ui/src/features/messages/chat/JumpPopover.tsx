import { Button, Popover, TextInput } from "@mantine/core";
import { use, useState, type FormEvent } from "react";
import { Anchor, useOpenerState } from "@/kit/overlay/Anchor";
import { boundsOf, dayOf, monthsBefore } from "@/kit/text/days";
import { OpenerContext } from "@/kit/overlay/Opener";
import { useRoomContext } from "@/model/messages/roomContext";
import { timelineOf } from "@/model/messages/timelines";
import { texts } from "@/texts";
import classes from "./JumpPopover.module.css";
import { jumpTo } from "./jumpTo";

export interface Jump {
  /** The day that the room is shown at. */
  shown: string | undefined;
  onJump: (day: string) => void;
}

/** Asks for the day to jump to. */
export function JumpPopover({ shown, onJump }: Jump) {
  const { onChange } = use(OpenerContext);
  const { room } = useRoomContext();
  const [day, setDay] = useState(shown ?? "");
  const now = new Date();
  const go = (chosen: string) => {
    onChange(false);
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
    <Popover {...useOpenerState()} position="bottom-end" width={240} trapFocus>
      <Popover.Target>
        <Anchor />
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
