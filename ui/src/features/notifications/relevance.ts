import type { Message } from "@/model/messages/walk";
import type { Level } from "./level";

interface Reader {
  personId: string;
  /** Whether he looks at the room that the message is in. */
  isLooking: boolean;
}

/** Whether somebody who is not looking is told of a message. */
export function isWorthIt(message: Message, level: Level, { personId, isLooking }: Reader): boolean {
  if (level === "off" || isLooking || message.user_id === personId || message.status !== "SENT") return false;
  return level === "all" || message.mentions.includes(personId);
}

const LONGEST = 160;

/** A message as one line of plain text. */
export function inShort(text: string): string {
  const line = text
    .replace(/```[^\n]*\n?/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(#{1,6}|>|[-*+]) /gm, "")
    .replace(/(\*\*|__|~~|`)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...line];
  return letters.length <= LONGEST ? line : `${letters.slice(0, LONGEST - 1).join("")}…`;
}
