import {
  Code,
  FileText,
  Heading1,
  Heading2,
  Heading3,
  Image,
  Lightbulb,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Quote,
  Table,
  Text,
} from "lucide-react";
import { useEffect, useRef } from "react";
import { blocks as texts } from "@/texts/blocks";
import classes from "./SlashMenu.module.css";
import type { KindName } from "./typing";

export const KIND_ICONS = {
  paragraph: Text,
  heading1: Heading1,
  heading2: Heading2,
  heading3: Heading3,
  list: List,
  numbered: ListOrdered,
  todo: ListChecks,
  table: Table,
  code: Code,
  quote: Quote,
  callout: Lightbulb,
  divider: Minus,
  image: Image,
  file: FileText,
} satisfies Record<KindName, unknown>;

interface Props {
  id: string;
  names: KindName[];
  active: number;
  onTake: (name: KindName) => void;
}

/** The types that a "/" offers. The field keeps the focus, and names the active option to screen readers. */
export function SlashMenu({ id, names, active, onTake }: Props) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active, names.length]);
  return (
    <ul ref={list} id={id} role="listbox" aria-label={texts.chooseType} className={classes.menu}>
      {names.map((name, index) => {
        const Icon = KIND_ICONS[name];
        return (
          <li
            key={name}
            id={`${id}-${name}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault();
              onTake(name);
            }}
          >
            <Icon size={17} aria-hidden />
            {texts.kinds[name]}
          </li>
        );
      })}
    </ul>
  );
}
