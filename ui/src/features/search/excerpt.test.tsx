import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { queryClient } from "@/api/queryClient";
import { emojiList } from "@/model/emoji/emoji";
import * as list from "@/model/emoji/emojiList";
import { MessageExcerpt } from "./MessageExcerpt";

function html(text: string, ...found: string[]): string {
  const highlights = found.map((each) => {
    const from = [...text.slice(0, text.indexOf(each))].length;
    return [from, from + [...each].length];
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MessageExcerpt organizationId="o" excerpt={{ text, highlights }} />
    </QueryClientProvider>,
  ).replace(/ class="[^"]*"/g, "");
}

describe("the excerpt of a message", () => {
  it("shows formatting instead of its marks, and the matches in it", () => {
    const shown = html(
      "…its checks:\n\n- **A winter.** The *radio*\n- `dry_run` 👍 on",
      "winter",
      "radio",
      "dry_run",
      "on",
    );
    expect(shown).toContain("<span>…its checks:</span>");
    expect(shown).toContain("<strong>A <mark>winter</mark>.</strong> The <em><mark>radio</mark></em>");
    expect(shown).toContain("<code><mark>dry_run</mark></code> 👍 <mark>on</mark>");
    expect(shown).not.toMatch(/[*`\uE000\uE001]/);
  });

  it("shows emoji by their short names, and matches around them", () => {
    queryClient.setQueryData(emojiList.queryKey, list);
    expect(html("well done :tada: all", "done :tada: all")).toContain(
      '<mark>done </mark><span title=":tada:">🎉</span><mark> all</mark>',
    );
  });

  it("highlights a phrase across formatting", () => {
    expect(html("one **two** three", "one **two")).toContain(
      "<mark>one </mark><strong><mark>two</mark></strong> three",
    );
  });

  it.each([
    "[here](https://a.example)",
    "![here](https://a.example/x.png)",
    "# here",
    "> here",
    "| here |\n| - |",
  ])("has no links, pictures or blocks: %s", (text) => {
    expect(html(text, "here")).toContain("<mark>here</mark>");
    expect(html(text, "here")).not.toMatch(/<(?!\/?(span|mark)\b)/);
  });

  it.each(["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "text <b>bold</b>"])(
    "shows HTML as text: %s",
    (text) => {
      expect(html(text, "a")).not.toMatch(/<(img|script|b)\b/);
      expect(html(text, "a")).toContain("&lt;");
    },
  );

  it("shows text as typed where Markdown would take too long", () => {
    expect(html(">".repeat(3000))).toContain("&gt;&gt;&gt;");
  });
});
