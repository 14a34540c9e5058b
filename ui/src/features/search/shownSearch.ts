import { Store } from "@/kit/data/store";

/** The search whose results are shown, as people would say it; empty elsewhere. */
export const shownSearch = new Store("");
