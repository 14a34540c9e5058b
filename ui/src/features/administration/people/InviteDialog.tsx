import { Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runForEach } from "@/kit/data/runForEach";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { signInMethods } from "@/model/signIn/queries";
import { administration } from "@/texts/administration";
import type { SpaceGrant } from "../integrations/queries";
import { RoleSelect } from "../RoleChoice";
import { SpaceGrantFields } from "../SpaceGrantFields";
import { hasRole, assignableBy, useOrganization, type Role } from "../useOrganization";
import { addressesIn } from "./addresses";
import { invitationsOf, invite, type Invited } from "./queries";

interface Props {
  onClose: () => void;
  /** The result for each address. */
  onInvited: (invited: Invited[]) => void;
}

const labels = administration.people;

/** Invites the people of pasted addresses, with a role and the spaces that they are added to. */
export function InviteDialog({ onClose, onInvited }: Props) {
  const { organizationId, role: own } = useOrganization();
  const [text, setText] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [spaces, setSpaces] = useState<SpaceGrant[]>([]);
  const [done, setDone] = useState(0);
  const { data: methods } = useQuery(signInMethods);
  const { found, repeated, wrong } = addressesIn(text);
  const isAdmin = hasRole(role, "admin"); // admin of every space anyway
  const send = useChange({
    change: () =>
      runForEach(
        found,
        (email) => invite(organizationId, { email, role, spaces: isAdmin ? [] : spaces }),
        setDone,
      ),
    invalidates: [invitationsOf(organizationId).queryKey],
    done: (outcomes) =>
      onInvited(outcomes.map(({ item, result, reason }) => ({ email: item, token: result?.token, reason }))),
  });
  const create = methods?.mail_server === false ? labels.createInvitations : labels.sendInvitations;
  const notes = [
    ...(found.length > 1 ? [labels.people(found.length)] : []),
    ...(repeated.length > 0 ? [labels.repeated(repeated.length)] : []),
  ];
  return (
    <FormDialog
      title={labels.invitePeople}
      size="lg"
      action={create(found.length)}
      progress={send.isPending ? labels.inviting(done + 1, found.length) : undefined}
      isIncomplete={found.length === 0 || wrong.length > 0}
      change={send}
      onSubmit={send.mutate}
      onClose={onClose}
    >
      <Textarea
        label={labels.addresses}
        description={labels.addressesHint}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={50_000}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={wrong.length > 0 && labels.wrongAddresses(wrong)}
        data-autofocus
      />
      {notes.length > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {notes.join(" · ")}
        </Text>
      )}
      <RoleSelect
        label={labels.role}
        description={labels.roleMeans[role]}
        roles={assignableBy(own)}
        value={role}
        onChange={setRole}
      />
      {!isAdmin && (
        <SpaceGrantFields
          organizationId={organizationId}
          grants={spaces}
          hint={role === "guest" ? labels.spacesOfGuest : labels.spacesOfMember}
          none={labels.notAdded}
          noneInOpen={role === "guest" ? labels.notAdded : labels.openTo}
          onChange={setSpaces}
        />
      )}
    </FormDialog>
  );
}
