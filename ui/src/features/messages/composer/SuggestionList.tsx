import { useEffect, useRef } from "react";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { texts } from "@/texts";
import classes from "./SuggestionList.module.css";
import type { Suggestion } from "./suggestions";

interface Props {
  id: string;
  offered: Suggestion[];
  active: number;
  organizationId: string;
  onTake: (suggestion: Suggestion) => void;
}

/** Names or emoji to choose from, above the text field. */
export function SuggestionList({ id, offered, active, organizationId, onTake }: Props) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active, offered]);
  if (offered.length === 0) return null;
  return (
    <ul ref={list} id={id} role="listbox" aria-label={texts.messages.suggestions} className={classes.list}>
      {offered.map((each, index) => (
        <li
          key={each.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(each);
          }}
        >
          {each.actorId && <ActorAvatar organizationId={organizationId} actorId={each.actorId} size={24} />}
          <bdi>{each.label}</bdi>
          {each.hint && <span className={classes.hint}>{each.hint}</span>}
        </li>
      ))}
    </ul>
  );
}
