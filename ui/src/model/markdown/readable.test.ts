import { describe, expect, it } from "vitest";
import { isReadable } from "./readable";

const repeated = (text: string): string => text.repeat(Math.floor(40_000 / text.length));

describe("what is read as Markdown", () => {
  it.each([
    ["quotes", ">".repeat(3000)],
    ["lists in a line", "- ".repeat(300)],
    ["numbers in a line", "1. ".repeat(300)],
    ["indentation", `${"\t".repeat(100)}- x`],
    ["marks of emphasis", repeated("*_")],
    ["what opens and never closes", repeated("*a_ ")],
    ["brackets that close", repeated("]")],
    ["pairs of marks", repeated("*a*")],
    ["a table with too many cells", `${"|a".repeat(5000)}|\n${"|-".repeat(5000)}|\n${"|\n".repeat(9000)}`],
    ["quotes behind a fence", `\`\`\`\nx\n\`\`\`\n${">".repeat(300)}`],
    ["quotes behind an indented fence", `  ~~~\nx\n~~~\n${">".repeat(300)}`],
    ["quotes behind a fence in HTML", `<pre>\n~~~\n</pre>\n${">".repeat(300)}`],
    ["marks behind a fence", `\`\`\`\nx\n\`\`\`\n${repeated("*a_ ").slice(0, 30_000)}`],
    ["marks in what may not be code", `- \`\`\`\n${repeated("*a_ ").slice(0, 30_000)}`],
    ["more than a message has", "x".repeat(40_001)],
  ])("is not %s", (_, text) => expect(isReadable(text)).toBe(false));

  it.each([
    [
      "a long text",
      repeated("It *was* the best of `times`, it was the [worst](https://a.example) of times.\n\n"),
    ],
    ["a log", repeated("2026-11-21 09:07:13 worker one: done\n")],
    ["a long list", repeated("- something\n")],
    ["rules", `${"-".repeat(3000)}\n\n${"* ".repeat(40)}\n\n${"=".repeat(3000)}`],
    ["a table", `|a|b|\n|-|-|\n${"|1|2|\n".repeat(2000)}`],
    ["indented code between fences", `So:\n\`\`\`c\n${" ".repeat(400)}- 3.14\n\`\`\`\nso`],
    ["code full of marks", `\`\`\`ts\n${repeated("a[*b];\n").slice(0, 39_000)}\n\`\`\``],
    ["nothing", ""],
  ])("is %s", (_, text) => expect(isReadable(text)).toBe(true));
});
