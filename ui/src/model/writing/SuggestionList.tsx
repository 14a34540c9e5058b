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
  /** Whether it opens below the field, in a page that scrolls to it. */
  isBelow?: boolean;
}

/** Names or emoji to choose from, next to the text field. */
export function SuggestionList({ id, offered, active, organizationId, onTake, isBelow }: Props) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active, offered]);
  const isOpen = offered.length > 0;
  useEffect(() => {
    if (isOpen && isBelow) list.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen, isBelow]);
  if (!isOpen) return null;
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label={texts.messages.suggestions}
      className={classes.list}
      data-below={isBelow || undefined}
    >
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
