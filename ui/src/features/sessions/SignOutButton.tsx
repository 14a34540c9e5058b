import { Button } from "@mantine/core";
import { texts } from "@/texts";
import { useSignOut } from "./useSignOut";

export function SignOutButton() {
  return (
    <Button variant="default" onClick={useSignOut()}>
      {texts.sessions.signOut}
    </Button>
  );
}
