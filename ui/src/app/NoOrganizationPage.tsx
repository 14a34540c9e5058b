import { Button } from "@mantine/core";
import { useSignOut } from "@/features/sessions/useSignOut";
import { MessagePage } from "@/kit/layout/MessagePage";
import { texts } from "@/texts";

/** The page for an account without an organization. */
export function NoOrganizationPage() {
  const action = (
    <Button variant="default" onClick={useSignOut()}>
      {texts.sessions.signOut}
    </Button>
  );
  return (
    <MessagePage title={texts.organizations.none} action={action}>
      {texts.organizations.noneHint}
    </MessagePage>
  );
}
