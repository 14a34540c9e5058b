import { useMutation } from "@tanstack/react-query";
import { messageOf } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";
import { invalidateWebhooks } from "./queries";

/** Run an action on a webhook, reload its queries afterwards and show an error if it failed. */
export function useAction<T, V = void>(act: (given: V) => Promise<T>, done?: (answer: T) => void) {
  return useMutation({
    mutationFn: act,
    onSuccess: (answer) => {
      done?.(answer);
      void invalidateWebhooks();
    },
    onError: (error: unknown) => showNotice(messageOf(error), { isError: true }),
  });
}
