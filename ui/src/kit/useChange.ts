import { useMutation, type QueryKey } from "@tanstack/react-query";
import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/refusal";
import { say } from "./notices";

interface Change<V, R> {
  change: (given: V) => Promise<R>;
  /** What is read anew afterwards. */
  stale: QueryKey[];
  done?: string | ((result: R, given: V) => void);
  /** Whether the place that asked shows what went wrong itself. */
  isQuiet?: boolean;
}

/** A change at the server: what it concerns is read anew, what it refuses is said. */
export function useChange<V, R>({ change, stale, done, isQuiet }: Change<V, R>) {
  const again = () =>
    Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
  return useMutation({
    mutationFn: change,
    onSuccess: (result, given) => {
      if (typeof done === "string") say(done);
      else done?.(result, given);
      return again();
    },
    onError: (error) => {
      if (!isQuiet) say(messageOf(error), { trouble: true });
      void again();
    },
  });
}
