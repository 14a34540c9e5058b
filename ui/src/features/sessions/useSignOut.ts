import { api } from "@/api/client";
import { signedOut } from "@/api/queryClient";
import { answered, messageOf, Refusal } from "@/api/refusal";
import { say } from "@/kit/notices";

/** Ends this browser's session. One that has ended already is as good. */
export function useSignOut(): () => void {
  return () => void signOut();
}

async function signOut(): Promise<void> {
  try {
    await answered(api.DELETE("/v1/sessions/current"));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) return say(messageOf(error), { trouble: true });
  }
  signedOut();
}
