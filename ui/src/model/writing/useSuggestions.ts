import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { emojiList } from "@/model/emoji/emoji";
import { typedName, type Written } from "@/model/markdown/mentions";
import type { Room } from "@/model/rooms/queries";
import { useSpaceMembers } from "@/model/spaces/queries";
import { useFollowing } from "./chosen";
import { insertCompletion } from "./edits";
import { suggestions, type Suggestion } from "./suggestions";
import { typeInto } from "./typeInto";

interface Options<W extends Written> {
  room: Room;
  written: W;
  field: React.RefObject<HTMLTextAreaElement | null>;
  onChange: (written: W, caret: number) => void;
}

const KEYS = ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"];

/** Offer names and emoji while they are typed in a field. Chosen names are mentions, and stay so while one writes on. */
export function useSuggestions<W extends Written>({ room, written, field, onChange }: Options<W>) {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState("");
  const withChange = useFollowing();
  const typed = typedIn(written, caret);
  const place = typed ? typed.mark + typed.from : "";
  const { data: members } = useSpaceMembers(room.space_id, typed?.mark === "@");
  const { data: emoji } = useQuery({ ...emojiList, enabled: typed?.mark === ":" });
  const offered =
    typed && dismissed !== place ? suggestions(typed, members ?? [], emoji?.findEmoji ?? (() => [])) : [];
  const active = Math.min(chosen, offered.length - 1);

  const onTake = (suggestion: Suggestion) => {
    if (!typed || !field.current) return;
    const next = insertCompletion(written.text, typed.from, caret, suggestion.insert);
    typeInto(field.current, next);
    if (!suggestion.actorId) return;
    const mention = { at: typed.from, name: suggestion.insert.slice(1).trim(), id: suggestion.actorId };
    const moved = withChange(written, next.text, next.end);
    const others = moved.mentions.filter((each) => each.at !== mention.at);
    onChange({ ...moved, mentions: [...others, mention] }, next.end);
  };
  const onText = (text: string, at: number) => {
    setChosen(0);
    if (!typedName(text, at)) setDismissed("");
    setCaret(at);
    onChange(withChange(written, text, at), at);
  };
  /** Return whether a key belongs to the list. */
  const onKey = (event: React.KeyboardEvent): boolean => {
    if (offered.length === 0 || !KEYS.includes(event.key)) return false;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "ArrowDown") setChosen((active + 1) % offered.length);
    else if (event.key === "ArrowUp") setChosen((active - 1 + offered.length) % offered.length);
    else if (event.key === "Escape") setDismissed(place);
    else if (offered[active]) onTake(offered[active]);
    return true;
  };
  return {
    list: { id, offered, active, organizationId: room.organization_id, onTake },
    activeId: offered[active] && `${id}-${active}`,
    onCaret: setCaret,
    onText,
    onKey,
  };
}

/** Return the name before the caret, unless it is chosen already. */
function typedIn({ text, mentions }: Written, caret: number): ReturnType<typeof typedName> {
  const typed = typedName(text, caret);
  return mentions.some(({ at }) => at === typed?.from) ? null : typed;
}
