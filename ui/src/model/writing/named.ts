import { withNames, type Written } from "@/model/markdown/mentions";
import { nameOf } from "@/model/people/names";

/** Return a stored text for writing: with the names that are loaded. */
export const named = (text: string): Written => withNames(text, nameOf);
