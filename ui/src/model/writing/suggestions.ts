import { matchScore } from "@/kit/text/matching";
import { texts } from "@/texts";
import type { typedName } from "@/model/markdown/mentions";
import type { SpaceMember } from "@/model/spaces/queries";
import type { Emoji } from "@/model/emoji/emojiList";

export interface Suggestion {
  key: string;
  label: string;
  /** Distinguishes people of one name. */
  hint?: string;
  /** Replaces the typed text. */
  insert: string;
  /** The person whose name is inserted. */
  actorId: string | null;
}

const MAX_PEOPLE = 8;
const MAX_EMOJI = 100;

/** Suggest completions for the name being typed. */
export function suggestions(
  typed: ReturnType<typeof typedName>,
  members: SpaceMember[],
  findEmoji: (name: string) => Emoji[],
): Suggestion[] {
  if (!typed) return [];
  if (typed.mark === ":") {
    return findEmoji(typed.name)
      .slice(0, MAX_EMOJI)
      .map(({ emoji, names }) => ({
        key: emoji,
        label: `${emoji} :${names[0] ?? ""}:`,
        insert: `${emoji} `,
        actorId: null,
      }));
  }
  return members
    .map((member) => ({ member, fits: matchScore(member.name, typed.name) }))
    .filter((each) => each.fits > 0)
    .sort((a, b) => b.fits - a.fits || a.member.name.localeCompare(b.member.name))
    .slice(0, MAX_PEOPLE)
    .map(({ member }) => ({
      key: member.actor_id,
      label: member.name,
      hint: hasNamesake(member, members)
        ? texts.messages.memberHint(member.role, member.actor_id)
        : undefined,
      insert: `@${member.name} `,
      actorId: member.actor_id,
    }));
}

const hasNamesake = (member: SpaceMember, members: SpaceMember[]): boolean =>
  members.some((each) => each.actor_id !== member.actor_id && each.name === member.name);
