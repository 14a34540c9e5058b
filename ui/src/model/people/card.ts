import { Store } from "@/kit/data/store";

interface Card {
  organizationId: string;
  actorId: string;
  /** What the card opens next to. */
  anchor: HTMLElement;
}

/** The profile card that is open, if any. The shell shows it, so that no name carries a card of its own. */
export const openCard = new Store<Card | null>(null);
