import { SignOutButton } from "@/features/sessions/SignOutButton";
import { MessagePage } from "@/kit/MessagePage";
import { texts } from "@/texts";

/** For an account that belongs to no organization. */
export function NowherePage() {
  return (
    <MessagePage title={texts.organizations.none} action={<SignOutButton />}>
      {texts.organizations.noneMore}
    </MessagePage>
  );
}
