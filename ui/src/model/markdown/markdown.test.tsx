import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { queryClient } from "@/api/queryClient";
import { emojiList } from "@/model/emoji/emoji";
import * as list from "@/model/emoji/emojiList";
import { cacheActors } from "@/model/people/names";
import { profile } from "@/model/people/queries";
import { cjkEmphasis } from "./cjk";
import { Markdown } from "./Markdown";
import * as cjk from "./remarkCjk";

const ADA = "01936f4e-8f2a-7c31-9d4b-5e6f70819203";
const PERSON = { person_id: "me", name: "Me", email: null, created_at: "2024-01-01T00:00:00.000Z" };

function html(text: string): string {
  queryClient.setQueryData(profile.queryKey, PERSON);
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MantineProvider>
        <Markdown text={text} organizationId="o" />
      </MantineProvider>
    </QueryClientProvider>,
  ).replace(/<style.*?<\/style>/gs, "");
}

describe("Markdown", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<svg/onload=alert(1)>",
    "text <iframe srcdoc='<script>1</script>'></iframe>",
    "<style>*{display:none}</style>",
  ])("shows HTML as text: %s", (text) => {
    expect(html(text)).not.toMatch(/<(script|img|iframe|svg|style|a)\b/i);
    expect(html(text)).toContain("&lt;");
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "java\nscript:x",
    "&#106;avascript:x",
  ])("links to no address of the kind %s", (address) => {
    expect(html(`[press](${address})`)).not.toMatch(/href="(?!https?:|mailto:)[^"]*script/i);
    expect(html(`[press](<${address}>) ![x](<${address}>)`)).not.toMatch(
      /(href|src)="\s*(javascript|data|vbscript)/i,
    );
  });

  it("loads no picture from elsewhere: it is a link", () => {
    const shown = html("![plan](https://elsewhere.example/plan.png)");
    expect(shown).not.toContain("<img");
    expect(shown).toContain('href="https://elsewhere.example/plan.png"');
  });

  it("opens links elsewhere without telling where they were followed from", () => {
    expect(html("https://example.org")).toMatch(/target="_blank" rel="noopener noreferrer nofollow ugc"/);
  });

  it("names the mentioned person, even with an unusual name", () => {
    cacheActors([{ actor_id: ADA, actor_type: "person", name: "<b>Ada</b>" }]);
    expect(html(`hello <@${ADA}>`)).toContain("@<bdi>&lt;b&gt;Ada&lt;/b&gt;</bdi>");
  });

  it("leaves a mention in code alone, and keeps lines apart", () => {
    expect(html(`\`<@${ADA}>\``)).toContain(`&lt;@${ADA}&gt;`);
    expect(html("one\ntwo")).toContain("<br/>");
  });

  it("shows short names of emoji as emoji, once the list is loaded", () => {
    queryClient.removeQueries({ queryKey: emojiList.queryKey });
    expect(html("hi :wink:")).toContain(":wink:</span>");
    queryClient.setQueryData(emojiList.queryKey, list);
    expect(html("hi :wink:")).toMatch(/hi <span title=":wink:">😉<\/span>/);
    expect(html("(:+1::tada:)").replace(/<.*?>/g, "")).toBe("(👍🎉)");
    expect(html(":wave::skin-tone-3:")).toContain("👋");
    expect(html("**:wink:**, | a |")).toContain("😉");
  });

  it.each(["`:wink:`", "```\n:wink:\n```", "a:wink:b", "std::b::c", "10:30:45", "https://a.example/:wink:/"])(
    "leaves %j as typed",
    (text) => expect(html(text)).not.toMatch(/<span title|😉/),
  );

  it("runs in the direction of its letters, block by block", () => {
    const shown = html("שלום\n\n- مرحبا\n\n> hello\n\n# título\n\n| a |\n|-|\n| b |\n\n```\ncode\n```");
    for (const tag of ["p", "ul", "blockquote", "table"]) expect(shown).toContain(`<${tag} dir="auto"`);
    expect(shown).toContain('<p dir="auto" class="_heading');
    expect(shown).toMatch(/<pre class="[^"]*"><code>code<\/code><\/pre>/);
  });

  it.each([
    ["请访问 https://example.com。谢谢", "https://example.com", "。谢谢"],
    ["（https://example.com/a?b=c）を参照", "https://example.com/a?b=c", "）を参照"],
    ["https://example.com、www.example.org！", "https://example.com", "、"],
    ["www.example.org，谢谢", "http://www.example.org", "，谢谢"],
    ["https://example.comを見て", "https://example.com", "を見て"],
    ["“https://example.com”", "https://example.com", "”"],
    ["انظر https://example.com، شكرا", "https://example.com", "،"],
    ["https://ja.wikipedia.org/wiki/東京 です", "https://ja.wikipedia.org/wiki/%E6%9D%B1%E4%BA%AC", " です"],
    ["https://例え.jp/x です", "https://例え.jp/x", " です"],
    ["https://example.com.", "https://example.com", "."],
  ])("ends the address where its text does: %s", (text, href, after) => {
    const [, first = "", rest = ""] = /href="([^"]*)".*?<\/a>([^]*)/.exec(html(text)) ?? [];
    expect([decodeURI(first), rest.replace(/<.*?>/g, "").startsWith(after)]).toEqual([decodeURI(href), true]);
  });

  it("links each of two addresses without a space between them", () => {
    expect(html("https://a.example、https://b.example。").match(/href="[^"]*"/g)).toEqual([
      'href="https://a.example"',
      'href="https://b.example"',
    ]);
  });

  it.each([
    ["これは**「重要なこと」**です。", "<strong>「重要なこと」</strong>"],
    ["**注意：**请先阅读", "<strong>注意：</strong>"],
    ["是*（真的）*吗", "<em>（真的）</em>"],
    ["これは~~「古い」~~です", "<del>「古い」</del>"],
    ["**테스트(test)**입니다", "<strong>테스트(test)</strong>"],
    ["a**b**c", "<strong>b</strong>"],
  ])("shows emphasis next to punctuation: %s", (text, shown) => {
    queryClient.removeQueries({ queryKey: cjkEmphasis.queryKey });
    expect(html(text).includes("<strong>b") || !html(text).includes(shown)).toBe(true);
    queryClient.setQueryData(cjkEmphasis.queryKey, cjk);
    expect(html(text)).toContain(shown);
  });

  it("shows emoji within text without spaces", () => {
    queryClient.setQueryData(emojiList.queryKey, list);
    expect(html("すごい:tada:です").replace(/<.*?>/g, "")).toBe("すごい🎉です");
  });

  it("leaves the name of an unknown emoji between its colons", () => {
    expect(html("a :racket: and").replace(/<.*?>/g, "")).toBe("a :racket: and");
  });
});
