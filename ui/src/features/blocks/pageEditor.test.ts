import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import { textOf } from "@/model/blocks/content";
import type { Block, BlockChange } from "@/model/blocks/page";
import { aBlock } from "@/model/blocks/page.fixture";
import { moveBlock, withBlock } from "@/model/blocks/tree";
import { PageEditor } from "./pageEditor";

const TEXT = (text: string) => ({ type: "paragraph" as const, content: { text } });

/** A server that stores a page of paragraphs like the real one; `fails` is thrown once instead of answering. */
function aServer(page: Block[]) {
  const server = {
    page,
    requests: [] as string[],
    fails: [] as Error[],
    onChange: (): void => undefined,
    edited: [] as string[],
  };
  const find = (id: string) => server.page.find((each) => each.block_id === id);
  const put = (block: Block) => (server.page = withBlock(server.page, block) ?? server.page);
  const editor = new PageEditor({
    page: () => server.page,
    publish: put,
    edited: (block, before) =>
      server.edited.push(`${textOf(block.content)} v${block.version}, before ${textOf(before.content)}`),
    create: async ({ content, place }, key) => {
      server.requests.push(`create ${String(content.text)} at ${place.position} by ${key.length}`);
      const failure = server.fails.shift();
      if (failure) throw failure;
      const block = aBlock(`made-${server.requests.length}`, place.position, place.parentId, {
        content: { text: textOf(content) },
      });
      server.page = moveBlock(server.page, block, place) ?? server.page;
      return Promise.resolve(block);
    },
    change: async (block: Block, { content }: BlockChange) => {
      server.onChange();
      server.requests.push(`change ${String(content?.text)}`);
      const failure = server.fails.shift();
      if (failure) throw failure;
      const now = find(block.block_id);
      if (!now) throw new ApiError(404, "block_not_found", "gone");
      if (now.version !== block.version) throw new ApiError(409, "block_changed", "changed", { block: now });
      return Promise.resolve({
        ...now,
        type: "paragraph" as const,
        content: { text: textOf(content ?? now.content) },
        version: now.version + 1,
      });
    },
  });
  return { server, editor, put, find };
}

describe("a block that is closed", () => {
  it("says what it said before it was opened, if that was something else", async () => {
    const { server, editor } = aServer([aBlock("a", 0), aBlock("b", 1)]);
    editor.focus("a");
    editor.write("a", { content: { text: "x" } });
    await editor.save("a");
    editor.write("a", { content: { text: "xy" } });
    editor.focus("b");
    await editor.settle("a");
    editor.focus(null);
    await editor.settle("b");
    expect(server.edited).toEqual(["xy v3, before a"]);
  });
});

describe("a new block", () => {
  it("is saved when it has something, and keeps its row", async () => {
    const { server, editor } = aServer([aBlock("a", 0)]);
    const key = editor.add("a", TEXT(""));
    editor.focus(key);
    await editor.save(key);
    expect(server.requests).toEqual([]);
    editor.write(key, { content: { text: "x" } });
    await editor.save(key);
    expect(server.page.map((each) => textOf(each.content))).toEqual(["a", "x"]);
    expect(editor.rows().map((each) => each.key)).toEqual(["a", key]);
    editor.write(key, { content: { text: "xy" } });
    await editor.save(key);
    expect(server.requests.at(-1)).toBe("change xy");
  });

  it("that is left empty is forgotten, and what follows it moves up", async () => {
    const { editor } = aServer([aBlock("a", 0)]);
    const first = editor.add("a", TEXT(""));
    const second = editor.add(first, TEXT("x"));
    editor.focus(first);
    editor.focus(second);
    await editor.settle(first);
    expect(editor.rows().map((each) => each.key)).toEqual(["a", second]);
  });

  it("whose request had no answer is repeated as it was", async () => {
    const { server, editor } = aServer([]);
    const key = editor.add(null, TEXT("x"));
    server.fails = [new ApiError(0, "unreachable", "offline")];
    await editor.save(key);
    expect(editor.find(key)?.problem).toBe("offline");
    editor.write(key, { content: { text: "xy" } });
    await editor.save(key);
    const [one, two, three] = server.requests;
    expect([one, three]).toEqual([two, "change xy"]);
  });
});

describe("a block that two people change", () => {
  const both = async () => {
    const made = aServer([aBlock("a", 0), aBlock("b", 1)]);
    made.editor.focus("a");
    made.editor.write("a", { content: { text: "mine" } });
    made.put(aBlock("a", 0, null, { content: { text: "theirs" }, version: 2, updated_by: "grace" }));
    made.editor.follow();
    expect(made.editor.find("a")?.content).toEqual({ text: "mine" });
    await made.editor.save("a");
    expect(made.editor.find("a")?.theirs?.updated_by).toBe("grace");
    return made;
  };

  it("keeps both texts until one is chosen: mine", async () => {
    const { editor, find } = await both();
    editor.resolve("a", "mine");
    await editor.save("a");
    expect(find("a")?.content).toEqual({ text: "mine" });
  });

  it("keeps both texts until one is chosen: theirs", async () => {
    const { editor, find } = await both();
    editor.resolve("a", "theirs");
    await editor.save("a");
    expect(find("a")?.content).toEqual({ text: "theirs" });
    expect(editor.find("a")?.content).toEqual({ text: "theirs" });
  });

  it("is no conflict if the other one only moved it", async () => {
    const { server, editor, put, find } = aServer([aBlock("a", 0), aBlock("b", 1)]);
    editor.focus("a");
    editor.write("a", { content: { text: "mine" } });
    put(aBlock("a", 1, null, { version: 2 }));
    await editor.save("a");
    expect(find("a")).toMatchObject({ content: { text: "mine" }, position: 1, version: 3 });
    expect(server.page.map((each) => each.block_id)).toEqual(["b", "a"]);
  });

  it("becomes a new one if the other one deleted it", async () => {
    const { server, editor } = aServer([aBlock("a", 0), aBlock("b", 1)]);
    editor.focus("b");
    editor.write("b", { content: { text: "mine" } });
    server.page = server.page.slice(0, 1);
    editor.follow();
    await editor.save("b");
    expect(server.page.map((each) => textOf(each.content))).toEqual(["a", "mine"]);
  });

  it("follows the other one as long as nothing is typed", () => {
    const { editor, put } = aServer([aBlock("a", 0)]);
    editor.focus("a");
    put(aBlock("a", 0, null, { content: { text: "theirs" }, version: 2 }));
    editor.follow();
    expect(editor.find("a")?.content).toEqual({ text: "theirs" });
  });
});

it("what is typed while a block is saved is saved too", async () => {
  const { server, editor, find } = aServer([aBlock("a", 0)]);
  editor.focus("a");
  editor.write("a", { content: { text: "one" } });
  server.onChange = () => {
    server.onChange = () => undefined;
    editor.write("a", { content: { text: "one two" } });
  };
  await editor.save("a");
  expect(find("a")?.content).toEqual({ text: "one two" });
  expect(server.requests).toEqual(["change one", "change one two"]);
});
