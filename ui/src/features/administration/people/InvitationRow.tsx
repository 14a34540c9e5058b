import { Text } from "@mantine/core";
import { Mail } from "lucide-react";
import { ConfirmButton } from "@/kit/ConfirmButton";
import { Row } from "@/kit/Rows";
import { shortDate } from "@/kit/times";
import { useChange } from "@/kit/useChange";
import { administration } from "@/texts/administration";
import { hasRole, assignableBy, useOrganization } from "../useOrganization";
import classes from "./InvitationRow.module.css";
import { invitationsOf, revokeInvitation, type Invitation } from "./queries";

const labels = administration.people;

/** A pending invitation. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { organizationId, role } = useOrganization();
  const revoke = useChange({
    change: revokeInvitation,
    invalidates: [invitationsOf(organizationId).queryKey],
  });
  return (
    <Row
      picture={
        <span className={classes.picture} aria-hidden>
          <Mail size={17} />
        </span>
      }
      title={<bdi>{invitation.email}</bdi>}
      more={
        labels.invitedUntil(shortDate(invitation.created_at), shortDate(invitation.expires_at)) +
        labels.addedTo(invitation.spaces.length)
      }
    >
      <Text size="sm" c="dimmed">
        {administration.roles[invitation.role]}
      </Text>
      {hasRole(role, "admin") && assignableBy(role).includes(invitation.role) && (
        <ConfirmButton
          question={labels.revokeMore}
          action={labels.revoke}
          isDangerous
          onConfirm={() => revoke.mutate(invitation)}
        />
      )}
    </Row>
  );
}
