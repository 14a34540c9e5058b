import type { Message } from "@/model/messages/history";
import type { Level } from "./level";

interface Reader {
  personId: string;
  /** Whether the person is looking at the message's room. */
  isLooking: boolean;
}

/** Return whether a message is worth a desktop notification. */
export function shouldNotify(message: Message, level: Level, { personId, isLooking }: Reader): boolean {
  if (level === "off" || isLooking || message.user_id === personId || message.status !== "SENT") return false;
  return level === "all" || message.mentions.includes(personId);
}

const LONGEST = 160;

/** Format a message as one line of plain text. */
export function summaryOf(text: string): string {
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
