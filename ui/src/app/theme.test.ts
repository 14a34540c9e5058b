import { DEFAULT_THEME } from "@mantine/core";
import { describe, expect, it } from "vitest";
import { cssVariables } from "./theme";

const schemes = cssVariables(DEFAULT_THEME);
const GROUNDS = ["--at-ground", "--at-raised", "--at-hover", "--at-side"];
const TEXTS = ["--at-danger", "--at-accent-text", "--mantine-color-text", "--mantine-color-dimmed"];

describe.each(["light", "dark"] as const)("the %s colors", (scheme) => {
  const colors: Record<string, string> = schemes[scheme];
  it.each(TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground])))(
    "%s on %s is readable",
    (text, ground) => {
      expect(contrast(colors[text ?? ""] ?? "", colors[ground ?? ""] ?? "")).toBeGreaterThanOrEqual(4.5);
    },
  );

  it("have one red for errors and for what deletes", () => {
    const reds = Object.keys(colors).filter((each) =>
      /^--mantine-color-(error|red-(6|text|outline|light-color))$/.test(each),
    );
    expect(reds.map((each) => colors[each])).toEqual(Array(5).fill("var(--at-danger)"));
    expect(contrast(colors["--mantine-color-red-filled"] ?? "", "#ffffff")).toBeGreaterThanOrEqual(4.5);
  });
});

/** Return the contrast of two colors by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
