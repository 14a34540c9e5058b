import { useMutation, type QueryKey } from "@tanstack/react-query";
import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { showNotice } from "../overlay/notices";

interface Change<V, R> {
  change: (given: V) => Promise<R>;
  /** The queries to reload afterwards. */
  invalidates: QueryKey[];
  done?: string | ((result: R, given: V) => void);
  /** Whether the caller shows errors itself. */
  handlesErrors?: boolean;
}

/** Run a change on the server, then reload the queries it affects; show an error if it failed. */
export function useChange<V, R>({ change, invalidates: stale, done, handlesErrors: isQuiet }: Change<V, R>) {
  const again = () =>
    Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
  return useMutation({
    mutationFn: change,
    onSuccess: (result, given) => {
      if (typeof done === "string") showNotice(done);
      else done?.(result, given);
      return again();
    },
    onError: (error) => {
      if (!isQuiet) showNotice(messageOf(error), { isError: true });
      void again();
    },
  });
}
