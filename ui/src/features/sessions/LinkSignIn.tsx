import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { ApiError, messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { texts } from "@/texts";
import { reloadAt, signInByLink } from "./actions";
import { dropToken } from "./link";

interface Props {
  token: string;
  returnTo: string;
}

/** Sign-in by a link, which works once. It takes a click, because mail scanners open links. */
export function LinkSignIn({ token, returnTo }: Props) {
  const use = useChange({
    change: () => signInByLink(token),
    done: () => reloadAt(returnTo),
    signsIn: true,
  });
  const isEnded = use.error instanceof ApiError && !use.error.isTransient && use.error.status < 500; // another try cannot help
  return (
    <Stack>
      <Title order={1} size="h3">
        {texts.sessions.signIn}
      </Title>
      {use.isError && (
        <Alert color="red" role="alert">
          {messageOf(use.error)}
        </Alert>
      )}
      {!isEnded && (
        <>
          <Text>{texts.sessions.linkMore}</Text>
          <Button loading={use.isPending} onClick={() => use.mutate()} autoFocus>
            {texts.sessions.signIn}
          </Button>
        </>
      )}
      <Anchor href="/sign-in" size="sm" onClick={dropToken}>
        {texts.sessions.anotherWay}
      </Anchor>
    </Stack>
  );
}
