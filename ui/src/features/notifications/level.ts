import { readStorage, writeStorage } from "@/kit/data/storage";
import { Store } from "@/kit/data/store";

/** What this browser shows notifications for. */
export const LEVELS = ["all", "mentions", "off"] as const;
export type Level = (typeof LEVELS)[number];

const NAME = "notifications";
const isLevel = (text: string): text is Level => LEVELS.some((each) => each === text);

function known(): Level {
  const found = readStorage(NAME);
  return isLevel(found) ? found : "off";
}

export const level = new Store<Level>(known());

export const isOffered = (): boolean => typeof Notification !== "undefined";

/** Set the notification level; the browser may ask for permission. Return whether it is granted. */
export async function chooseLevel(wanted: Level): Promise<boolean> {
  const allowed = wanted === "off" || (isOffered() && (await Notification.requestPermission()) === "granted");
  const chosen = allowed ? wanted : "off";
  writeStorage(NAME, chosen);
  level.set(chosen);
  return allowed;
}
