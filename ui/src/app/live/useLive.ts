import { useEffect, useRef, useState } from "react";
import { signedOut } from "@/api/queryClient";
import { apply } from "./apply";
import { LiveStream, type Connection } from "./stream";

/** Receive the live events of an organization while it is shown. Return the state of the connection. */
export function useLive(organizationId: string, personId: string, roomId: string | null): Connection {
  const [connection, setConnection] = useState<Connection>("connecting");
  const shownRoom = useRef(roomId);
  useEffect(() => {
    shownRoom.current = roomId;
  }, [roomId]);

  useEffect(() => {
    const shown = { organizationId, personId, roomId: () => shownRoom.current };
    const stream = new LiveStream({
      url: `/v2/events?organization_id=${organizationId}`,
      onEvent: (event) => apply(event, shown),
      onSignedOut: signedOut,
    });
    stream.connection.subscribe(() => setConnection(stream.connection.get()));
    void stream.run();
    addEventListener("online", stream.hurry);
    addEventListener("offline", stream.cut);
    document.addEventListener("visibilitychange", stream.hurry);
    return () => {
      removeEventListener("online", stream.hurry);
      removeEventListener("offline", stream.cut);
      document.removeEventListener("visibilitychange", stream.hurry);
      stream.stop();
    };
  }, [organizationId, personId]);

  return connection;
}
