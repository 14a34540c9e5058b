import { useEffect, useMemo, useRef } from "react";
import { signedOut } from "@/api/queryClient";
import { useStore } from "@/kit/store";
import { apply } from "./apply";
import { LiveStream, type Connection } from "./stream";

/** Listen to what happens in an organization for as long as it is shown; says how the connection is. */
export function useLive(organizationId: string, personId: string, roomId: string | null): Connection {
  const shownRoom = useRef(roomId);
  useEffect(() => {
    shownRoom.current = roomId;
  }, [roomId]);

  const stream = useMemo(() => {
    const shown = { organizationId, personId, roomId: () => shownRoom.current };
    return new LiveStream({
      url: `/v2/events?organization_id=${organizationId}`,
      onEvent: (event) => apply(event, shown),
      onSignedOut: signedOut,
    });
  }, [organizationId, personId]);

  useEffect(() => {
    const run = setTimeout(() => void stream.run(), 0); // an effect that is undone at once connects to nothing
    addEventListener("online", stream.hurry);
    document.addEventListener("visibilitychange", stream.hurry);
    return () => {
      clearTimeout(run);
      removeEventListener("online", stream.hurry);
      document.removeEventListener("visibilitychange", stream.hurry);
      stream.stop();
    };
  }, [stream]);

  return useStore(stream.connection);
}
