import { Stack, Text, Title, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { ApiError } from "@/api/errors";
import { ErrorAlert } from "@/kit/layout/ErrorAlert";
import { Loading } from "@/kit/layout/Loading";
import { shortDate } from "@/kit/text/times";
import { OrganizationMark } from "@/model/people/OrganizationMark";
import { texts } from "@/texts";
import { invitation as invitationTexts } from "@/texts/invitation";
import { previewInvitation } from "./actions";
import classes from "./SignInPage.module.css";
import { JoinForm } from "./JoinForm";
import { dropToken } from "./link";

interface Props {
  token: string;
  /** Shown to a signed-in person, who joins with their account. */
  signedInAs: Schemas["Profile"] | null;
}

const labels = invitationTexts;

/**
 * The invitation (organization, inviter and invited address) with the form to join, or why the link no longer works.
 */
export function Invitation({ token, signedInAs }: Props) {
  const preview = useQuery({
    queryKey: ["invitation", token],
    queryFn: async () => (await previewInvitation(token)).invitation,
    staleTime: Infinity,
  });
  if (preview.isError) return <UnknownInvitation error={preview.error} />;
  if (!preview.data) return <Loading />;
  const invitation = preview.data;
  if (invitation.state !== "pending") return <ClosedInvitation invitation={invitation} />;
  return (
    <Stack>
      <div className={classes.organization}>
        <OrganizationMark name={invitation.organization_name} size={40} />
        <Title order={1} size="h3">
          {labels.join(invitation.organization_name)}
        </Title>
      </div>
      <div className={classes.about}>
        <p>{labels.invitedBy(invitation.invited_by)}</p>
        <p className={classes.address}>
          <bdi>{invitation.email}</bdi>
        </p>
        <p>{labels.invitedAs(labels.roles[invitation.role], shortDate(invitation.expires_at))}</p>
      </div>
      <JoinForm token={token} invitation={invitation} signedInAs={signedInAs} />
    </Stack>
  );
}

/** The token is of no invitation, or the server could not be asked. */
function UnknownInvitation({ error }: { error: unknown }) {
  if (!(error instanceof ApiError && error.status === 404)) return <ErrorAlert error={error} />;
  return (
    <Stack>
      <Title order={1} size="h3">
        {labels.unknownInvitation}
      </Title>
      <Text role="alert">{labels.unknownInvitationHint}</Text>
      <SignInLink />
    </Stack>
  );
}

/** Why an invitation cannot be accepted, and what to do instead. */
function ClosedInvitation({ invitation }: { invitation: Schemas["InvitationPreview"] }) {
  const { state, organization_name, invited_by, email } = invitation;
  if (state === "pending") return null;
  const { title, hint } = labels.closed[state];
  return (
    <Stack>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text role="alert">
        {labels.closedOf(organization_name)} {hint(email)} {labels.askAgain(invited_by)}
      </Text>
      <SignInLink />
    </Stack>
  );
}

/** Leads to the sign-in page, without the invitation. */
function SignInLink() {
  return (
    <Button component="a" href="/sign-in" variant="default" onClick={dropToken}>
      {texts.sessions.signIn}
    </Button>
  );
}
