import { Alert, Button, Text } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { texts } from "@/texts";
import { invitation as invitationTexts } from "@/texts/invitation";
import { acceptInvitation, reloadAt, signOutAndJoin } from "./actions";

interface Props {
  token: string;
  invitation: Schemas["InvitationPreview"];
  account: Schemas["Profile"];
}

const labels = invitationTexts;

/** Joins with the account that is signed in; says so if the invitation is for another address. */
export function JoinAsAccount({ token, invitation, account }: Props) {
  const join = useChange({
    change: () => acceptInvitation(token, account.name),
    done: () => reloadAt("/"),
    signsIn: true,
  });
  const isTheirs = account.email?.toLowerCase() === invitation.email.toLowerCase();
  return (
    <>
      {join.isError && (
        <Alert color="red" role="alert">
          {messageOf(join.error)}
        </Alert>
      )}
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
