import { Button } from "@mantine/core";
import { messageOf, ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { MessagePage } from "./MessagePage";

/** The page for an error that nothing else handles. */
export function ErrorPage({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  const again = <Button onClick={() => location.reload()}>{texts.app.tryAgain}</Button>;
  return (
    <MessagePage title={texts.app.problem} action={again}>
      {messageOf(error)}
    </MessagePage>
  );
}

export function NotFoundPage() {
  return (
    <MessagePage
      title={texts.app.notFound}
      action={
        <Button component="a" href="/" mt={8}>
          {texts.app.goHome}
        </Button>
      }
    >
      {texts.app.notFoundHint}
    </MessagePage>
  );
}
