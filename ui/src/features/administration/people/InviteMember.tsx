import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useChange } from "@/kit/useChange";
import { administration } from "@/texts/administration";
import { useOrganization } from "../useOrganization";
import { invitationsOf, inviteMember, type Invited, type Member } from "./queries";

interface Props {
  member: Member;
  onInvited: (invited: Invited) => void;
}

const labels = administration.people;

/** Invites an imported person, unless their invitation is pending or they have no address. */
export function InviteMember({ member, onInvited }: Props) {
  const { organizationId } = useOrganization();
  const { data: invitations = [] } = useQuery(invitationsOf(organizationId));
  const invite = useChange({
    change: () => inviteMember(organizationId, member),
    invalidates: [invitationsOf(organizationId).queryKey],
    done: ({ invitation, token }) => onInvited({ email: invitation.email, token }),
  });
  const address = member.email?.toLowerCase();
  if (!address) return null;
  if (invitations.some((each) => each.email.toLowerCase() === address))
    return (
      <Text size="sm" c="dimmed">
        {labels.isInvited}
      </Text>
    );
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={labels.inviteOne(member.name)}
      loading={invite.isPending}
      onClick={() => invite.mutate(undefined)}
    >
      {labels.invite}
    </Button>
  );
}
