import { shortDate } from "@/kit/text/times";
import { useNames } from "@/model/people/names";
import { useSpacesWithRooms, type SpaceWithRooms } from "@/model/rooms/queries";
import { search as texts } from "@/texts/search";
import { MYSELF, type Filter, type Has } from "./filters";

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Return the values of filters as people know them: names instead of ids. */
export function useShownValues(organizationId: string, filters: Filter[]): string[] {
  const { spaces } = useSpacesWithRooms(organizationId);
  const people = filters
    .filter(({ name, value }) => name === "from" && ID.test(value))
    .map(({ value }) => value);
  const names = useNames(organizationId, people);
  return filters.map(({ name, value }) => {
    if (name === "has") return texts.kinds[value as Has];
    if (name === "in") return ID.test(value) ? placeName(spaces, value) : value;
    if (name === "from") return value === MYSELF ? texts.me : (names[people.indexOf(value)] ?? value);
    return shortDate(`${value}T00:00`);
  });
}

function placeName(spaces: SpaceWithRooms[], id: string): string {
  const room = spaces.flatMap(({ rooms }) => rooms).find((each) => each.room_id === id);
  const space = spaces.find((each) => each.space.space_id === id)?.space;
  return room?.name ?? space?.name ?? texts.unknownRoom;
}
