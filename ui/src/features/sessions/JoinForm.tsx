import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useChange } from "@/kit/data/useChange";
import { ErrorAlert } from "@/kit/layout/ErrorAlert";
import { texts } from "@/texts";
import { invitation as invitationTexts } from "@/texts/invitation";
import { acceptInvitation, reloadAt, signOutAndJoin } from "./actions";
import { JOIN, storeInvitation } from "./link";
import { NewPasswordField } from "./NewPasswordField";

interface Props {
  token: string;
  invitation: Schemas["InvitationPreview"];
  signedInAs: Schemas["Profile"] | null;
}

const labels = invitationTexts;
const SIGN_IN_FIRST = `/sign-in?return_to=${encodeURIComponent(JOIN)}`;

/** The way to join: with the account that is signed in, with one to sign in to, or with a new one. */
export function JoinForm({ token, invitation, signedInAs }: Props) {
  if (signedInAs) return <JoinAsAccount token={token} invitation={invitation} account={signedInAs} />;
  if (invitation.has_account)
    return (
      <>
        <Text>{labels.joinSigningIn(invitation.email)}</Text>
        <Button component="a" href={SIGN_IN_FIRST} onClick={() => storeInvitation(token)}>
          {labels.signInToJoin}
        </Button>
      </>
    );
  return <NewAccountForm token={token} invitation={invitation} />;
}

function NewAccountForm({ token, invitation }: Omit<Props, "signedInAs">) {
  const [name, setName] = useState(invitation.name ?? "");
  const [password, setPassword] = useState("");
  const join = useChange({
    change: () => acceptInvitation(token, name.trim(), password),
    done: () => reloadAt("/"),
    signsIn: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        join.mutate();
      }}
    >
      <Stack>
        <ErrorAlert error={join.error} />
        <Text size="sm" c="dimmed">
          {invitation.name === null ? labels.newAccount : labels.newAccountNamed(invitation.name)}
        </Text>
        <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
        {invitation.name === null && (
          <TextInput
            label={texts.sessions.name}
            autoComplete="name"
            maxLength={200}
            required
            withAsterisk={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoFocus
          />
        )}
        <NewPasswordField label={texts.sessions.password} value={password} onChange={setPassword} />
        <Button type="submit" loading={join.isPending}>
          {labels.join(invitation.organization_name)}
        </Button>
        <Text size="sm" c="dimmed">
          {labels.haveAccount}{" "}
          <Anchor href={SIGN_IN_FIRST} underline="always" onClick={() => storeInvitation(token)}>
            {texts.sessions.signIn}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

interface JoinAsAccountProps {
  token: string;
  invitation: Schemas["InvitationPreview"];
  account: Schemas["Profile"];
}

/** Joins with the account that is signed in; says so if the invitation is for another address. */
function JoinAsAccount({ token, invitation, account }: JoinAsAccountProps) {
  const join = useChange({
    change: () => acceptInvitation(token, account.name),
    done: () => reloadAt("/"),
    signsIn: true,
  });
  const isTheirs = account.email?.toLowerCase() === invitation.email.toLowerCase();
  return (
    <>
      <ErrorAlert error={join.error} />
      {isTheirs ? (
        <Text>{labels.joinAs(account.name)}</Text>
      ) : (
        <Alert color="orange">
          {labels.joinOtherwise(account.name, account.email ?? "", invitation.email)}
        </Alert>
      )}
      <Button loading={join.isPending} onClick={() => join.mutate()}>
        {labels.join(invitation.organization_name)}
      </Button>
      <Button variant="default" onClick={() => void signOutAndJoin(token)}>
        {isTheirs ? texts.sessions.signOut : labels.signOutToJoin(invitation.email)}
      </Button>
    </>
  );
}
