import { SignOutButton } from "@/features/sessions/SignOutButton";
import { MessagePage } from "@/kit/MessagePage";
import { texts } from "@/texts";

/** The page for an account without an organization. */
export function NowherePage() {
  return (
    <MessagePage title={texts.organizations.none} action={<SignOutButton />}>
      {texts.organizations.noneMore}
    </MessagePage>
  );
}
