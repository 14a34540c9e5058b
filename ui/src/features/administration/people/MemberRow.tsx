import { Badge, Button } from "@mantine/core";
import { ConfirmButton } from "@/kit/ConfirmButton";
import { say } from "@/kit/notices";
import { Row } from "@/kit/Rows";
import { shortDate } from "@/kit/times";
import { useChange } from "@/kit/useChange";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { useProfile } from "@/model/people/queries";
import { administration } from "@/texts/administration";
import { RoleMenu } from "../RoleMenu";
import { holds, namedBy, useOrganization } from "../useOrganization";
import { membersOf, removeMember, updateMember, type Member } from "./queries";

const said = administration.people;

/** A person of the organization, with what the one who looks may do about him. */
export function MemberRow({ member }: { member: Member }) {
  const { organizationId, role } = useOrganization();
  const isSelf = useProfile().person_id === member.person_id;
  const stale = [membersOf(organizationId).queryKey, ["organizations"]];
  const change = useChange({
    change: (content: Partial<Pick<Member, "role" | "active">>) =>
      updateMember(organizationId, member, content),
    stale,
    done: ({ member: now }) => say(said.changed(now.name)),
  });
  const remove = useChange({
    change: () => removeMember(organizationId, member),
    stale,
    done: () => say(said.removed(member.name)),
  });
  const mayChange = holds(role, "admin") && namedBy(role).includes(member.role);
  return (
    <Row
      picture={<ActorAvatar organizationId={organizationId} actorId={member.person_id} />}
      title={<bdi>{member.name}</bdi>}
      mark={
        <>
          {isSelf && <Badge variant="light">{said.you}</Badge>}
          {!member.active && (
            <Badge variant="light" color="gray">
              {said.deactivated}
            </Badge>
          )}
        </>
      }
      more={
        <>
          {member.email ?? said.noAddress} · {said.since(shortDate(member.created_at))}
        </>
      }
    >
      {mayChange ? (
        <RoleMenu
          label={said.roleOf(member.name)}
          roles={namedBy(role)}
          value={member.role}
          disabled={change.isPending}
          onChange={(chosen) => change.mutate({ role: chosen })}
        />
      ) : (
        <Badge variant="default">{administration.roles[member.role]}</Badge>
      )}
      {mayChange && !member.active && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => change.mutate({ active: true })}>
            {said.reactivate}
          </Button>
          <ConfirmButton
            question={said.removeMore}
            action={said.remove}
            isDangerous
            onConfirm={() => remove.mutate(undefined)}
          />
        </>
      )}
      {mayChange && member.active && !isSelf && (
        <ConfirmButton
          question={said.deactivateMore}
          action={said.deactivate}
          isDangerous
          onConfirm={() => change.mutate({ active: false })}
        />
      )}
    </Row>
  );
}
