import { Store } from "@/kit/store";

/** Secrets of new webhooks until the user confirms that they are saved; never stored in the browser. */
export const secrets = new Store<ReadonlyMap<string, string>>(new Map());

export const storeSecret = (webhookId: string, secret: string): void =>
  secrets.update((held) => new Map(held).set(webhookId, secret));

export const dropSecret = (webhookId: string): void =>
  secrets.update((held) => new Map([...held].filter(([id]) => id !== webhookId)));
