import { Button, Group, NativeSelect, Popover, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { dayOf } from "@/kit/text/days";
import { search as texts } from "@/texts/search";
import { AddButton } from "./AddButton";
import type { Filter } from "./filters";

interface Props {
  onAdd: (filter: Filter) => void;
}

const KINDS = ["on", "after", "before"] as const;
const PERIODS = [
  { label: texts.week, days: 7 },
  { label: texts.month, days: 30 },
];

/** Adds when a message was sent: a period up to today, or a day. */
export function AddDate({ onAdd }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<(typeof KINDS)[number]>("on");
  const [day, setDay] = useState("");
  const add = (filter: Filter) => {
    setOpen(false);
    onAdd(filter);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (day) add({ name: kind, value: day });
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={310} trapFocus returnFocus>
      <Popover.Target>
        <AddButton onClick={() => setOpen(!isOpen)}>{texts.add.date}</AddButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.date}>
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => add({ name: "on", value: dayOf(new Date()) })}
          >
            {texts.today}
          </Button>
          {PERIODS.map(({ label, days }) => (
            <Button
              key={label}
              size="compact-sm"
              variant="light"
              onClick={() => add({ name: "after", value: dayOf(new Date(), -days) })}
            >
              {label}
            </Button>
          ))}
        </Group>
        <form onSubmit={submit}>
          <Group gap={6} mt={10} wrap="nowrap" align="end">
            <NativeSelect
              label={texts.dateIs}
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value as typeof kind)}
              data={KINDS.map((value) => ({ value, label: texts.names[value] }))}
            />
            <TextInput
              type="date"
              label={texts.date}
              flex={1}
              required
              withAsterisk={false}
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          </Group>
          <Button type="submit" mt={10} fullWidth>
            {texts.addDate}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
