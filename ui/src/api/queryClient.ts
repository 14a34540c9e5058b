import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";

const listeners = new Set<() => void>();

/** Call `listener` when the server reports that the session has ended. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function signedOut(): void {
  for (const listener of listeners) listener();
}

function noticeSignOut(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) signedOut();
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
      retry: (failures, error) => error instanceof ApiError && error.isTransient && failures < 4,
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfter
          ? error.retryAfter * 1000
          : Math.min(500 * 2 ** failures, 8000),
    },
    // Offline, a change fails immediately with an error instead of waiting unseen for the network.
    mutations: { networkMode: "always" },
  },
});
