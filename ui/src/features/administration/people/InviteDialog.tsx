import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { useChange } from "@/kit/useChange";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { RoleSelect } from "../RoleSelect";
import { namedBy, useOrganization, type Role } from "../useOrganization";
import { invitationsOf, invite } from "./queries";

interface Props {
  onClose: () => void;
  /** The address, and the token that accepts the invitation. */
  onInvited: (email: string, token: string) => void;
}

const labels = administration.people;

export function InviteDialog({ onClose, onInvited }: Props) {
  const { organizationId, role: own } = useOrganization();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const send = useChange({
    change: () => invite(organizationId, email.trim(), role),
    stale: [invitationsOf(organizationId).queryKey],
    done: ({ invitation, token }) => onInvited(invitation.email, token),
    isQuiet: true,
  });
  return (
    <Modal opened onClose={onClose} title={labels.invite} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(undefined);
        }}
      >
        <Stack>
          {send.isError && <Alert color="red">{messageOf(send.error)}</Alert>}
          <TextInput
            type="email"
            label={texts.sessions.email}
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            data-autofocus
          />
          <RoleSelect
            label={labels.role}
            description={labels.roleMeans[role]}
            roles={namedBy(own)}
            value={role}
            onChange={setRole}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={send.isPending} disabled={!email.trim()}>
              {labels.sendInvitation}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
