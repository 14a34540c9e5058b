import { Badge } from "@mantine/core";
import { Mail } from "lucide-react";
import { Row } from "@/kit/layout/Rows";
import { formatRelative } from "@/kit/text/times";
import { useChange } from "@/kit/data/useChange";
import { administration } from "@/texts/administration";
import { hasRole, assignableBy, useOrganization } from "../useOrganization";
import { InvitationActions } from "./InvitationActions";
import classes from "./InvitationRow.module.css";
import { invitationsOf, renewInvitation, revokeInvitation, type Invitation, type Invited } from "./queries";

const labels = administration.people;

interface Props {
  invitation: Invitation;
  onInvited: (invited: Invited) => void;
}

/** A pending invitation. */
export function InvitationRow({ invitation, onInvited }: Props) {
  const { created_at, expires_at } = invitation;
  const now = new Date();
  const { organizationId, role } = useOrganization();
  const invalidates = [invitationsOf(organizationId).queryKey];
  const revoke = useChange({ change: revokeInvitation, invalidates });
  const renew = useChange({
    change: () => renewInvitation(invitation),
    invalidates,
    done: ({ token }) => onInvited({ email: invitation.email, token }),
  });
  return (
    <Row
      picture={
        <span className={classes.picture} aria-hidden>
          <Mail size={17} />
        </span>
      }
      title={<bdi>{invitation.email}</bdi>}
      mark={
        <Badge variant="light" color="gray">
          {administration.roles[invitation.role]}
        </Badge>
      }
      more={
        labels.invitedUntil(formatRelative(created_at, now), formatRelative(expires_at, now)) +
        labels.addedTo(invitation.spaces.length)
      }
    >
      {hasRole(role, "admin") && assignableBy(role).includes(invitation.role) && (
        <InvitationActions
          email={invitation.email}
          onRenew={() => renew.mutateAsync()}
          onRevoke={() => revoke.mutateAsync(invitation)}
        />
      )}
    </Row>
  );
}
