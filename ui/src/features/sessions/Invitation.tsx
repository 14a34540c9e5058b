import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { texts } from "@/texts";
import { acceptInvitation, enter } from "./actions";
import { dropToken } from "./link";
import { NewPasswordField } from "./NewPasswordField";
import { SignOutButton } from "./SignOutButton";

interface Props {
  token: string;
  /** Shown to a signed-in person, who joins with their account. */
  signedInAs: Schemas["Profile"] | null;
}

const labels = texts.sessions;

export function Invitation({ token, signedInAs }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const join = useMutation({
    meta: { signsIn: true },
    mutationFn: () =>
      signedInAs ? acceptInvitation(token, signedInAs.name) : acceptInvitation(token, name.trim(), password),
    onSuccess: () => enter("/"),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        join.mutate();
      }}
    >
      <Stack>
        <Title order={1} size="h3">
          {labels.welcome}
        </Title>
        {join.isError && (
          <Alert color="red" role="alert">
            {messageOf(join.error)}
          </Alert>
        )}
        {signedInAs ? (
          <Text>{labels.joinAs(signedInAs.name)}</Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {labels.invited}
            </Text>
            <TextInput
              label={labels.name}
              autoComplete="name"
              maxLength={200}
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              autoFocus
            />
            <NewPasswordField label={labels.password} value={password} onChange={setPassword} />
          </>
        )}
        <Button type="submit" loading={join.isPending}>
          {labels.join}
        </Button>
        {signedInAs ? (
          <SignOutButton />
        ) : (
          <Text size="sm" c="dimmed">
            {labels.haveAccount}{" "}
            <Anchor href="/sign-in" underline="always" onClick={dropToken}>
              {labels.signIn}
            </Anchor>
          </Text>
        )}
      </Stack>
    </form>
  );
}
