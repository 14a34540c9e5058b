import { Anchor } from "@mantine/core";
import { texts } from "@/texts";
import { MessagePage } from "./MessagePage";

export function NotFoundPage() {
  return (
    <MessagePage title={texts.app.notFound} action={<Anchor href="/">{texts.app.goHome}</Anchor>}>
      {texts.app.notFoundMore}
    </MessagePage>
  );
}
