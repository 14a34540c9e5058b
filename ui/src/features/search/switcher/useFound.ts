import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { matchScore } from "@/kit/text/matching";
import { usePeople } from "@/model/people/usePeople";
import { useSpacesWithRooms, type Room } from "@/model/rooms/queries";
import { recentFirst } from "@/model/rooms/recent";
import type { Space, SpaceMember } from "@/model/spaces/queries";
import { previewOf, type SearchResult } from "../queries";

const MAX_ROOMS = 8;
const MAX_RECENT = 12;
const MAX_PEOPLE = 5;
const SETTLES_MS = 150;
const SHORTEST = 2;

export interface FoundRoom {
  room: Room;
  space: Space;
}

export interface Found {
  rooms: FoundRoom[];
  people: SpaceMember[];
  messages: SearchResult[];
}

/** Return what the typed text finds: rooms and people by name, and messages. Without a text, the recent rooms. */
export function useFound(organizationId: string, typed: string): Found {
  const text = typed.trim();
  const rooms = useRooms(organizationId, text);
  const people = usePeople(organizationId, text !== "");
  const [settled] = useDebouncedValue(text, SETTLES_MS);
  const isLong = text.length >= SHORTEST;
  const { data: messages } = useQuery({
    ...previewOf(organizationId, settled),
    enabled: isLong && settled.length >= SHORTEST,
  });
  return {
    rooms,
    people: text ? best(people, (each) => matchScore(each.name, text)).slice(0, MAX_PEOPLE) : [],
    messages: (isLong && messages) || [],
  };
}

function useRooms(organizationId: string, text: string) {
  const { spaces } = useSpacesWithRooms(organizationId);
  const all = spaces.flatMap(({ space, rooms }) =>
    rooms.map((room) => ({ room, space, room_id: room.room_id })),
  );
  const sorted = recentFirst(
    organizationId,
    all.toSorted((a, b) => latest(b.room) - latest(a.room)),
  );
  if (!text) return sorted.filter(({ room }) => room.archived_at === null).slice(0, MAX_RECENT);
  return best(sorted, ({ room }) => matchScore(room.name, text)).slice(0, MAX_ROOMS);
}

/** Return what matches, the best first; equal matches keep their order. */
function best<T>(all: T[], fitOf: (each: T) => number): T[] {
  const scored = all.map((each) => ({ each, score: fitOf(each) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ each }) => each);
}

const latest = (room: Room): number => Date.parse(room.last_message_at ?? "") || 0;
