import { useMutation, type QueryKey } from "@tanstack/react-query";
import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { showNotice } from "../overlay/notices";

interface Change<R, V> {
  change: (given: V) => Promise<R>;
  /** The queries to reload afterwards. */
  invalidates?: readonly QueryKey[];
  /** The notice when it is done, or what happens then. */
  done?: string | ((result: R, given: V) => void);
  /** Whether the caller shows errors itself. */
  handlesErrors?: boolean;
  /** Whether it signs in: an error has ended no session, and the caller shows it. */
  signsIn?: boolean;
}

/** Run a change on the server, then reload the queries it affects; show an error if it failed. */
export function useChange<R, V = void>(options: Change<R, V>) {
  const { change, invalidates = [], done, handlesErrors = false, signsIn = false } = options;
  const reload = () =>
    Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(
      () => undefined,
    );
  return useMutation({
    meta: { signsIn },
    mutationFn: change,
    onSuccess: (result, given) => {
      if (typeof done === "string") showNotice(done);
      else done?.(result, given);
      return reload();
    },
    onError: (error) => {
      if (!handlesErrors && !signsIn) showNotice(messageOf(error), { isError: true });
      void reload();
    },
  });
}
