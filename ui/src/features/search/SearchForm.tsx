import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useState } from "react";
import { useSpacesWithRooms, type SpaceWithRooms } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { HAS, type Filters } from "./filters";
import classes from "./SearchForm.module.css";

interface Props {
  organizationId: string;
  filters: Filters;
  onSearch: (filters: Filters) => void;
}

export function SearchForm({ organizationId, filters, onSearch }: Props) {
  const [form, setForm] = useState(filters);
  const { spaces } = useSpacesWithRooms(organizationId);
  const set = (name: keyof Filters) => (event: { currentTarget: { value: string } }) =>
    setForm({ ...form, [name]: event.currentTarget.value });
  const rooms = spaces.map(({ space, rooms: all }) => ({
    group: space.name,
    items: all.map((each) => ({ value: each.room_id, label: each.name })),
  }));
  const isUnlisted = form.in && !rooms.some(({ items }) => items.some(({ value }) => value === form.in));
  const unlisted = isUnlisted ? [{ value: form.in, label: nameOf(spaces, form.in) }] : [];
  return (
    <form
      role="search"
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(form);
      }}
    >
      <div className={classes.line}>
        <TextInput
          className={classes.words}
          type="search"
          aria-label={texts.search.words}
          placeholder={texts.search.words}
          leftSection={<Search size={16} aria-hidden />}
          value={form.words}
          onChange={set("words")}
          autoFocus
        />
        <Button type="submit">{texts.search.go}</Button>
      </div>
      <div className={classes.filters}>
        <NativeSelect
          size="xs"
          label={texts.search.room}
          value={form.in}
          onChange={set("in")}
          data={[{ value: "", label: texts.search.anyRoom }, ...unlisted, ...rooms]}
        />
        <TextInput
          size="xs"
          label={texts.search.from}
          placeholder={texts.search.anyone}
          value={form.from}
          onChange={set("from")}
        />
        <TextInput
          size="xs"
          type="date"
          label={texts.search.after}
          value={form.after}
          onChange={set("after")}
        />
        <TextInput
          size="xs"
          type="date"
          label={texts.search.before}
          value={form.before}
          onChange={set("before")}
        />
        <NativeSelect
          size="xs"
          label={texts.search.has}
          value={form.has}
          onChange={set("has")}
          data={[
            { value: "", label: texts.search.anything },
            ...HAS.map((value) => ({ value, label: texts.search.kinds[value] })),
          ]}
        />
      </div>
    </form>
  );
}

/** The name of a place that is not in the list of rooms. */
const nameOf = (spaces: SpaceWithRooms[], id: string): string =>
  spaces.find(({ space }) => space.space_id === id)?.space.name ?? texts.search.unknownRoom;
