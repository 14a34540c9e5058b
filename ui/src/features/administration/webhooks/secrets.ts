import { Store } from "@/kit/store";

/** Secrets that were just shown by the server, by webhook, until somebody says that he has kept them; never stored. */
export const secrets = new Store<ReadonlyMap<string, string>>(new Map());

export const keepSecret = (webhookId: string, secret: string): void =>
  secrets.update((held) => new Map(held).set(webhookId, secret));

export const dropSecret = (webhookId: string): void =>
  secrets.update((held) => new Map([...held].filter(([id]) => id !== webhookId)));
