import { api } from "@/api/client";
import { signedOut } from "@/api/queryClient";
import { unwrap, messageOf, ApiError } from "@/api/errors";
import { showNotice } from "@/kit/overlay/notices";

/** End this browser's session; it may already have ended. */
export function useSignOut(): () => void {
  return () => void signOut();
}

async function signOut(): Promise<void> {
  try {
    await unwrap(api.DELETE("/v1/sessions/current"));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401)
      return showNotice(messageOf(error), { isError: true });
  }
  signedOut();
}
