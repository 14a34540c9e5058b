import { IN_WORD } from "./scripts";
import { replaceTexts, spanNode, textNode, type Node } from "./nodes";

/** The name of a room after "#", as in "#general". A number, as in "#12", is none. Text without spaces may follow. */
const ROOM = new RegExp(`(?<!${IN_WORD}|[&/#])#(?=[\\p{N}_-]*\\p{L})([\\p{L}\\p{M}\\p{N}_-]+)`, "gu");

/** Outside code and links, turn names of rooms into elements. */
export function remarkRooms() {
  return (tree: Node): void => replaceTexts(tree, rooms, false);
}

const rooms = (text: string): Node[] =>
  text.split(ROOM).map((part, index) => (index % 2 ? spanNode("room", part) : textNode(part)));
