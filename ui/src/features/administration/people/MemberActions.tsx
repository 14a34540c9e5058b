import { ActionIcon, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, KeyRound, Link2, UserCheck, UserMinus, UserPlus, UserX } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { showNotice } from "@/kit/overlay/notices";
import { useChange } from "@/kit/data/useChange";
import { administration } from "@/texts/administration";
import { useOrganization } from "../useOrganization";
import {
  invitationsOf,
  inviteMember,
  isInvited,
  membersOf,
  removeMember,
  type Invited,
  type Member,
} from "./queries";
import { useSignInLink } from "./SignInLink";
import { showWorkingKeys } from "./WorkingKeys";

interface Props {
  member: Member;
  onActive: (active: boolean) => Promise<unknown>;
  onInvited: (invited: Invited) => void;
}

const labels = administration.people;

/** The menu of a member. What ends their access asks for confirmation. */
export function MemberActions({ member, onActive, onInvited }: Props) {
  const { organizationId } = useOrganization();
  const { data: invitations = [] } = useQuery(invitationsOf(organizationId));
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"deactivate" | "remove" | null>(null);
  const signInLink = useSignInLink(member);
  const invite = useChange({
    change: () => inviteMember(organizationId, member),
    invalidates: [invitationsOf(organizationId).queryKey],
    done: ({ invitation, token }) => onInvited({ email: invitation.email, token }),
  });
  const remove = useChange({
    change: () => removeMember(organizationId, member),
    invalidates: [membersOf(organizationId).queryKey],
    done: () => showNotice(labels.removed(member.name)),
  });
  const canInvite = member.imported && member.email !== null && !isInvited(member, invitations);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={labels.actionsFor(member.name)}>
            <Ellipsis size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <bdi>{member.name}</bdi>
          </Menu.Label>
          {canInvite && (
            <Menu.Item leftSection={<UserPlus size={15} aria-hidden />} onClick={() => invite.mutate()}>
              {labels.invite}
            </Menu.Item>
          )}
          {signInLink.create && member.active && !member.imported && (
            <Menu.Item leftSection={<Link2 size={15} aria-hidden />} onClick={signInLink.create}>
              {labels.signInLink}
            </Menu.Item>
          )}
          {member.active && (
            <Menu.Item
              leftSection={<KeyRound size={15} aria-hidden />}
              onClick={() =>
                void navigate({
                  to: "/o/$organizationId/administration/integrations/personal",
                  params: { organizationId },
                  search: { person: member.person_id },
                })
              }
            >
              {labels.personalKeys}
            </Menu.Item>
          )}
          {member.active ? (
            <Menu.Item
              color="red"
              leftSection={<UserX size={15} aria-hidden />}
              onClick={() => setAsked("deactivate")}
            >
              {labels.deactivate}
            </Menu.Item>
          ) : (
            <>
              <Menu.Item
                leftSection={<UserCheck size={15} aria-hidden />}
                onClick={() =>
                  void onActive(true).then(
                    () => showWorkingKeys(organizationId, [member]),
                    () => undefined,
                  )
                }
              >
                {labels.reactivate}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<UserMinus size={15} aria-hidden />}
                onClick={() => setAsked("remove")}
              >
                {labels.remove}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <ConfirmDialog
          title={labels.ask[asked](member.name)}
          action={labels[asked]}
          onConfirm={() => (asked === "remove" ? remove.mutateAsync() : onActive(false))}
          onClose={() => setAsked(null)}
        >
          {asked === "remove" ? labels.removeHint : labels.deactivateHint}
        </ConfirmDialog>
      )}
      {signInLink.dialog}
    </>
  );
}
