import { Badge, Button } from "@mantine/core";
import { ConfirmButton } from "@/kit/ConfirmButton";
import { showNotice } from "@/kit/notices";
import { Row } from "@/kit/Rows";
import { shortDate } from "@/kit/times";
import { useChange } from "@/kit/useChange";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { useProfile } from "@/model/people/queries";
import { organizationsKey } from "@/model/queryKeys";
import { administration } from "@/texts/administration";
import { RoleMenu } from "../RoleMenu";
import { holds, namedBy, useOrganization } from "../useOrganization";
import { membersOf, removeMember, updateMember, type Member } from "./queries";
import { SignInLink } from "./SignInLink";

const labels = administration.people;

/** A member, with the actions that the viewer's role allows. */
export function MemberRow({ member }: { member: Member }) {
  const { organizationId, role } = useOrganization();
  const isSelf = useProfile().person_id === member.person_id;
  const stale = [membersOf(organizationId).queryKey, organizationsKey()];
  const change = useChange({
    change: (content: Partial<Pick<Member, "role" | "active">>) =>
      updateMember(organizationId, member, content),
    stale,
    done: ({ member: now }) => showNotice(labels.changed(now.name)),
  });
  const remove = useChange({
    change: () => removeMember(organizationId, member),
    stale,
    done: () => showNotice(labels.removed(member.name)),
  });
  const mayChange = holds(role, "admin") && namedBy(role).includes(member.role);
  return (
    <Row
      picture={<ActorAvatar organizationId={organizationId} actorId={member.person_id} />}
      title={<bdi>{member.name}</bdi>}
      mark={
        <>
          {isSelf && <Badge variant="light">{labels.you}</Badge>}
          {!member.active && (
            <Badge variant="light" color="gray">
              {labels.deactivated}
            </Badge>
          )}
        </>
      }
      more={
        <>
          {member.email ?? labels.noAddress} · {labels.since(shortDate(member.created_at))}
        </>
      }
    >
      {mayChange ? (
        <RoleMenu
          label={labels.roleOf(member.name)}
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
            {labels.reactivate}
          </Button>
          <ConfirmButton
            question={labels.removeMore}
            action={labels.remove}
            isDangerous
            onConfirm={() => remove.mutate(undefined)}
          />
        </>
      )}
      {mayChange && member.active && !isSelf && (
        <>
          <SignInLink member={member} />
          <ConfirmButton
            question={labels.deactivateMore}
            action={labels.deactivate}
            isDangerous
            onConfirm={() => change.mutate({ active: false })}
          />
        </>
      )}
    </Row>
  );
}
