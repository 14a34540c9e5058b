import { administration } from "@/texts/administration";

/** What is offered as a filter: kinds of things, each with all that happens to them, and the single actions. */
const single = Object.keys(administration.audit.actions);
const kinds = [...new Set(single.map((each) => each.split(".")[0] ?? each))];

export const ACTIONS: string[] = [...kinds, ...single].sort();
