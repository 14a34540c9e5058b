import { Store } from "@/kit/data/store";

/** Secrets of new webhooks until the user confirms that they are saved; never stored in the browser. */
export const secrets = new Store<ReadonlyMap<string, string>>(new Map());

export const storeSecret = (webhookId: string, secret: string): void =>
  secrets.update((known) => new Map(known).set(webhookId, secret));

export const dropSecret = (webhookId: string): void =>
  secrets.update((known) => new Map([...known].filter(([id]) => id !== webhookId)));
