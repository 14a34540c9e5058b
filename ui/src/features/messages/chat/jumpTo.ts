import { dayOf } from "@/kit/text/days";
import { showNotice } from "@/kit/overlay/notices";
import { shortDate } from "@/kit/text/times";
import { landingOn } from "@/model/messages/jump";
import type { TimelineStore } from "@/model/messages/timelineStore";
import { texts } from "@/texts";

/** Show a room's history at a day. If nothing was sent on that day, show the nearest messages and say so. */
export async function jumpTo(
  store: TimelineStore,
  day: { start: number; end: number },
  isCurrent: () => boolean = () => true,
): Promise<void> {
  await store.openAtTime(day.start, (messages) => landingOn(messages, day));
  if (!isCurrent() || store.loading.get().error) return;
  const found = landingOn(store.timeline.get().messages, day);
  if (!found) return showNotice(texts.rooms.noMessages);
  const wanted = new Date(day.start);
  const isElsewhere = dayOf(new Date(found.sent_at)) !== dayOf(wanted);
  if (isElsewhere)
    showNotice(texts.rooms.nothingOn(shortDate(wanted.toISOString()), shortDate(found.sent_at)));
}
