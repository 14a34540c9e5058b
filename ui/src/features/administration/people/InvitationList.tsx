import { Badge, ActionIcon, Menu } from "@mantine/core";
import { useState } from "react";
import { Mail, Ellipsis, MailX, Send } from "lucide-react";
import { useChange } from "@/kit/data/useChange";
import { LongList } from "@/kit/layout/LongList";
import { Rows, Row } from "@/kit/layout/Rows";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { formatRelative } from "@/kit/text/times";
import { administration } from "@/texts/administration";
import { Section } from "../Section";
import { hasRole, assignableBy, useOrganization } from "../useOrganization";
import classes from "./Invitations.module.css";
import { InvitationResults } from "./InvitationResults";
import { type Invitation, type Invited, invitationsOf, renewInvitation, revokeInvitation } from "./queries";

const labels = administration.people;

/** The pending invitations, a few at a time, because they are shown above the members. */
export function InvitationList({ invitations }: { invitations: Invitation[] }) {
  const [renewed, setRenewed] = useState<Invited | null>(null);
  const results = renewed && <InvitationResults invited={[renewed]} onClose={() => setRenewed(null)} />;
  if (invitations.length === 0) return results;
  return (
    <Section title={labels.waiting(invitations.length)}>
      <LongList of={invitations} first={5}>
        {(shown) => (
          <Rows label={labels.invitations}>
            {shown.map((each) => (
              <InvitationRow key={each.invitation_id} invitation={each} onInvited={setRenewed} />
            ))}
          </Rows>
        )}
      </LongList>
      {results}
    </Section>
  );
}

interface Props {
  invitation: Invitation;
  onInvited: (invited: Invited) => void;
}

/** A pending invitation. */
function InvitationRow({ invitation, onInvited }: Props) {
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
      details={
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

interface InvitationActionsProps {
  email: string;
  onRenew: () => Promise<unknown>;
  onRevoke: () => Promise<unknown>;
}

/** The menu of a pending invitation. Both actions end its link, and ask for confirmation. */
function InvitationActions({ email, onRenew, onRevoke }: InvitationActionsProps) {
  const [asked, setAsked] = useState<"sendAgain" | "revoke" | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={labels.actionsFor(email)}>
            <Ellipsis size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <bdi>{email}</bdi>
          </Menu.Label>
          <Menu.Item leftSection={<Send size={15} aria-hidden />} onClick={() => setAsked("sendAgain")}>
            {labels.sendAgain}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<MailX size={15} aria-hidden />}
            onClick={() => setAsked("revoke")}
          >
            {labels.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <ConfirmDialog
          title={labels.ask[asked](email)}
          action={labels[asked]}
          isDangerous={asked === "revoke"}
          onConfirm={asked === "revoke" ? onRevoke : onRenew}
          onClose={() => setAsked(null)}
        >
          {asked === "revoke" ? labels.revokeHint : labels.sendAgainHint}
        </ConfirmDialog>
      )}
    </>
  );
}
