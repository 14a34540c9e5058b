import { control } from "./keys";
import { count } from "./count";

export const composer = {
  messageTo: (room: string) => `Message #${room}`,
  reply: "Reply…",
  post: "Write a post…",
  newPost: "New post",
  title: "Title",
  publish: "Publish",
  publishWith: `${control("Enter")} to publish`,
  comment: "Add a comment…",
  tools: "Formatting and attachments",
  formatting: "Formatting",
  formats: {
    bold: `Bold (${control("B")})`,
    italic: `Italic (${control("I")})`,
    strikethrough: `Strikethrough (${control("Shift", "X")})`,
    link: `Link (${control("Shift", "U")})`,
    bullets: `Bulleted list (${control("Shift", "8")})`,
    numbers: `Numbered list (${control("Shift", "7")})`,
    quote: `Quote (${control("Shift", "9")})`,
    code: `Code (${control("E")})`,
    codeBlock: `Code block (${control("Shift", "E")})`,
  },
  emoji: "Insert emoji",
  preview: "Preview",
  write: "Back to writing",
  sendWith: `${control("Enter")} to send`,
  send: "Send",
  sending: "Sending…",
  failed: (why: string) => `Couldn't send: ${why}`,
  discard: "Discard",
  tooLong: (excess: number, max: number) =>
    `${count(excess, "character", "characters")} too long. Messages can have up to ${max.toLocaleString()}.`,
  attachText: "Attach as a text file",
  fileName: "message.txt",
};

export const code = {
  label: (language: string | undefined) => (language ? `${language} code` : "Code"),
  copy: "Copy",
  copyLabel: "Copy code",
  copied: "Copied",
  allLines: (lines: number) => `Show all ${lines.toLocaleString()} lines`,
  allCharacters: (characters: number) => `Show all ${characters.toLocaleString()} characters`,
  less: "Show less",
};
