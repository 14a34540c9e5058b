import { expect, it } from "vitest";
import type { Node } from "./nodes";
import { beginningsOf } from "./RoomMention";
import { remarkRooms } from "./remarkRooms";

function roomsIn(value: string): string[] {
  const tree: Node = { type: "root", children: [{ type: "text", value }] };
  remarkRooms()(tree);
  return (tree.children ?? [])
    .filter((each) => each.type === "room")
    .map((each) => JSON.stringify(each.data));
}

it.each([
  ["say hello in #general, then", ["general"]],
  ["(#a-b_2) #größe", ["a-b_2", "größe"]],
  ["#2024-plans", ["2024-plans"]],
  ["#12 fixes a#b, /path#part, &#x27; and ##double", []],
  ["C# and # alone", []],
  ["请看#general。", ["general"]],
  ["#generalを見て", ["generalを見て"]],
])("finds the names of rooms in %s", (text, names) => {
  expect(roomsIn(text)).toEqual(names.map((name) => expect.stringContaining(`"${name}"`)));
});

it.each([
  ["generalを見て", ["generalを見て", "generalを見", "generalを", "general"]],
  ["general", ["general"]],
  ["開発を", ["開発を", "開発", "開"]],
])("a name may end where text without spaces follows: %s", (text, beginnings) => {
  expect(beginningsOf(text)).toEqual(beginnings);
});

it("finds none in links and code", () => {
  const text = { type: "text", value: "#general" };
  const tree: Node = {
    type: "root",
    children: [
      { type: "link", children: [text] },
      { type: "inlineCode", value: "#general" },
    ],
  };
  remarkRooms()(tree);
  expect(JSON.stringify(tree)).not.toContain("data-room");
});
