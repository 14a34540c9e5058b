import { X } from "lucide-react";
import { shortDate } from "@/kit/times";
import { useActor } from "@/model/people/names";
import { useSpacesWithRooms, type SpaceWithRooms } from "@/model/rooms/queries";
import { search as texts } from "@/texts/search";
import classes from "./FilterChips.module.css";
import { MYSELF, type Filter, type Has } from "./filters";

interface Props {
  organizationId: string;
  filters: Filter[];
  onRemove: (filter: Filter) => void;
}

/** The filters of a search, each with a button that removes it. */
export function FilterChips({ organizationId, filters, onRemove }: Props) {
  if (filters.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={texts.filters}>
      {filters.map((each) => (
        <Chip
          key={`${each.name}:${each.value}`}
          organizationId={organizationId}
          filter={each}
          onRemove={() => onRemove(each)}
        />
      ))}
    </ul>
  );
}

interface ChipProps {
  organizationId: string;
  filter: Filter;
  onRemove: () => void;
}

function Chip({ organizationId, filter, onRemove }: ChipProps) {
  const label = texts.chip(texts.names[filter.name], useShownValue(organizationId, filter));
  return (
    <li className={classes.chip}>
      <bdi>{label}</bdi>
      <button type="button" aria-label={texts.remove(label)} title={texts.remove(label)} onClick={onRemove}>
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Return the value as people know it: names instead of ids. */
function useShownValue(organizationId: string, { name, value }: Filter): string {
  const { spaces } = useSpacesWithRooms(organizationId);
  const isId = ID.test(value);
  const actor = useActor(organizationId, name === "from" && isId ? value : null);
  if (name === "has") return texts.kinds[value as Has];
  if (name === "in") return isId ? placeName(spaces, value) : value;
  if (name === "from") return value === MYSELF ? texts.me : (actor?.name ?? value);
  return shortDate(`${value}T00:00`);
}

function placeName(spaces: SpaceWithRooms[], id: string): string {
  const room = spaces.flatMap(({ rooms }) => rooms).find((each) => each.room_id === id);
  const space = spaces.find((each) => each.space.space_id === id)?.space;
  return room?.name ?? space?.name ?? texts.unknownRoom;
}
