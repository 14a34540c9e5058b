import { useEffect } from "react";
import { setWaiting } from "@/kit/title";
import { totalsOf } from "./counting";
import { useUnread } from "./useUnread";

/** Show in the title and the icon of the tab what is unread in the organization. */
export function useWaiting(organizationId: string): void {
  const { data } = useUnread(organizationId);
  useEffect(() => {
    const { direct, hasMore } = data ? totalsOf(data) : { direct: 0, hasMore: false };
    setWaiting({ count: direct, hasMore });
  }, [data]);
  useEffect(() => () => setWaiting({ count: 0, hasMore: false }), []);
}
