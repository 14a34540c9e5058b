import { useMutation } from "@tanstack/react-query";
import { messageOf } from "@/api/refusal";
import { say } from "@/kit/notices";
import { again } from "./queries";

/** Something done to a webhook: afterwards all that is shown is read anew, and trouble is told. */
export function useAct<T, V = void>(act: (given: V) => Promise<T>, done?: (answer: T) => void) {
  return useMutation({
    mutationFn: act,
    onSuccess: (answer) => {
      done?.(answer);
      void again();
    },
    onError: (error: unknown) => say(messageOf(error), { trouble: true }),
  });
}
