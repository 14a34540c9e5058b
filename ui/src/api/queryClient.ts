import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refusal } from "./refusal";

const listeners = new Set<() => void>();

/** Be told when the server says that nobody is signed in any more. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function signedOut(): void {
  for (const listener of listeners) listener();
}

function noticeSignOut(error: unknown): void {
  if (error instanceof Refusal && error.status === 401) signedOut();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (!mutation.meta?.signsIn) noticeSignOut(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false, // live events keep what is shown up to date
      retry: (failures, error) => error instanceof Refusal && error.isPassing && failures < 4,
      retryDelay: (failures, error) =>
        error instanceof Refusal && error.retryAfter
          ? error.retryAfter * 1000
          : Math.min(500 * 2 ** failures, 8000),
    },
    // Without a network a change is refused in words at once, instead of waiting unseen until there is one.
    mutations: { networkMode: "always" },
  },
});
