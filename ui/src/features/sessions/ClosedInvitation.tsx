import { Button, Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { texts } from "@/texts";
import { invitation as invitationTexts } from "@/texts/invitation";
import { dropToken } from "./link";

const labels = invitationTexts;

/** Why an invitation cannot be accepted, and what to do instead. */
export function ClosedInvitation({ invitation }: { invitation: Schemas["InvitationPreview"] }) {
  const { state, organization_name, invited_by, email } = invitation;
  if (state === "pending") return null;
  const { title, more } = labels.closed[state];
  return (
    <Stack>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text role="alert">
        {labels.closedOf(organization_name)} {more(email)} {labels.askAgain(invited_by)}
      </Text>
      <SignInLink />
    </Stack>
  );
}

/** Leads to the sign-in page, without the invitation. */
export function SignInLink() {
  return (
    <Button component="a" href="/sign-in" variant="default" onClick={dropToken}>
      {texts.sessions.signIn}
    </Button>
  );
}
