import { useRef, useState } from "react";
import { mentionedIn, partWithIds, withIds, withNames, type Written } from "@/model/markdown/mentions";
import { useRoomContext } from "@/model/messages/roomContext";
import { useNames } from "@/model/people/names";
import { SuggestionList } from "@/model/writing/SuggestionList";
import { useSuggestions } from "@/model/writing/useSuggestions";
import classes from "./Fields.module.css";
import { GrowingField, type GrowingFieldProps } from "./GrowingField";

/** A field for a text that is stored with ids and written with names. "@" offers people. */
export function MentionField({ value, onChange, onEnter, onKey, list, ...props }: GrowingFieldProps) {
  const { room } = useRoomContext();
  const field = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<Written | null>(null);
  const ids = mentionedIn(value);
  const names = useNames(room.organization_id, ids);
  // What was typed stays as it is, so that the field can undo it, until the text is changed elsewhere. Cells are stored
  // without the space behind a word.
  const isTyped = typed !== null && withIds(typed.text, typed.mentions).trim() === value.trim();
  const written = isTyped ? typed : withNames(value, (id) => names[ids.indexOf(id)]);
  const suggested = useSuggestions({
    room,
    written,
    field,
    onChange: (next, caret) => {
      setTyped(next);
      onChange(withIds(next.text, next.mentions), partWithIds(next, 0, caret).length);
    },
  });
  const isOffered = suggested.list.offered.length > 0;
  return (
    <div className={classes.text}>
      <GrowingField
        {...props}
        value={written.text}
        fieldRef={field}
        onChange={suggested.onText}
        onCaret={suggested.onCaret}
        onEnter={(before, after) =>
          onEnter(
            partWithIds(written, 0, before.length),
            partWithIds(written, written.text.length - after.length),
          )
        }
        onKey={(event) => suggested.onKey(event) || (onKey?.(event) ?? false)}
        list={isOffered || !list ? { id: suggested.list.id, active: suggested.activeId } : list}
      />
      <SuggestionList {...suggested.list} isBelow />
    </div>
  );
}
