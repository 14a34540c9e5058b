import { readStorage, writeStorage } from "@/kit/data/storage";

/** The emoji that are offered first. */
export const FREQUENT = ["👍", "❤️", "😂", "🎉", "🚀", "👀", "✅", "🙏"];

const STORED = 8;

/** Return the emoji to react with: those used last in this browser, then frequent ones. */
export function quickEmoji(count: number): string[] {
  const recent = readStorage("emoji").split(" ").filter(Boolean);
  return [...new Set([...recent, ...FREQUENT])].slice(0, count);
}

export function rememberEmoji(emoji: string): void {
  writeStorage("emoji", [emoji, ...quickEmoji(STORED).filter((each) => each !== emoji)].join(" "));
}
