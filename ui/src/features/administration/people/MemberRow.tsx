import { Badge, Button, Checkbox } from "@mantine/core";
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
import { hasRole, assignableBy, useOrganization } from "../useOrganization";
import classes from "./BulkActions.module.css";
import { InviteMember } from "./InviteMember";
import { membersOf, removeMember, updateMember, type Invited, type Member } from "./queries";
import { SignInLink } from "./SignInLink";

const labels = administration.people;

interface Props {
  member: Member;
  isSelected: boolean;
  /** Absent for viewers who cannot change people. */
  onSelect?: () => void;
  onInvited: (invited: Invited) => void;
}

/** A member, with the actions that the viewer's role allows. */
export function MemberRow({ member, isSelected, onSelect, onInvited }: Props) {
  const { organizationId, role } = useOrganization();
  const isSelf = useProfile().person_id === member.person_id;
  const stale = [membersOf(organizationId).queryKey, organizationsKey()];
  const change = useChange({
    change: (content: Partial<Pick<Member, "role" | "active">>) =>
      updateMember(organizationId, member, content),
    invalidates: stale,
    done: ({ member: now }) => showNotice(labels.changed(now.name)),
  });
  const remove = useChange({
    change: () => removeMember(organizationId, member),
    invalidates: stale,
    done: () => showNotice(labels.removed(member.name)),
  });
  const mayChange = hasRole(role, "admin") && assignableBy(role).includes(member.role);
  return (
    <Row
      picture={
        <>
          {onSelect && (
            <label className={classes.check}>
              <Checkbox
                aria-label={labels.select(member.name)}
                checked={isSelected}
                disabled={isSelf}
                onChange={onSelect}
              />
            </label>
          )}
          <ActorAvatar organizationId={organizationId} actorId={member.person_id} />
        </>
      }
      title={<bdi>{member.name}</bdi>}
      mark={
        <>
          {isSelf && <Badge variant="light">{labels.you}</Badge>}
          {member.imported && (
            <Badge variant="light" color="grape">
              {labels.states.imported}
            </Badge>
          )}
          {!member.active && (
            <Badge variant="light" color="gray">
              {labels.states.deactivated}
            </Badge>
          )}
        </>
      }
      more={
        <>
          {member.email ?? labels.noAddress} ·{" "}
          {member.imported ? labels.notSignedIn : labels.since(shortDate(member.created_at))}
        </>
      }
    >
      {mayChange && member.imported && <InviteMember member={member} onInvited={onInvited} />}
      {mayChange ? (
        <RoleMenu
          label={labels.roleOf(member.name)}
          roles={assignableBy(role)}
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
          {!member.imported && <SignInLink member={member} />}
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
