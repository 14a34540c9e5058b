import { Badge, Checkbox, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { showNotice } from "@/kit/overlay/notices";
import { shortDate } from "@/kit/text/times";
import { useChange } from "@/kit/data/useChange";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { useProfile } from "@/model/people/queries";
import { organizationsKey } from "@/model/queryKeys";
import { administration } from "@/texts/administration";
import { RoleMenu } from "../RoleChoice";
import { hasRole, assignableBy, useOrganization } from "../useOrganization";
import { MemberActions } from "./MemberActions";
import classes from "./MemberRow.module.css";
import { invitationsOf, isInvited, membersOf, updateMember, type Invited, type Member } from "./queries";

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
  const { data: invitations = [] } = useQuery(invitationsOf(organizationId));
  const isSelf = useProfile().person_id === member.person_id;
  const change = useChange({
    change: (content: Partial<Pick<Member, "role" | "active">>) =>
      updateMember(organizationId, member, content),
    invalidates: [membersOf(organizationId).queryKey, organizationsKey()],
    done: ({ member: now }, { active }) => showNotice(labels.changed(now.name, active)),
  });
  const mayChange = hasRole(role, "admin") && assignableBy(role).includes(member.role);
  const states = [
    isSelf && labels.you,
    member.imported && labels.states.imported,
    member.imported && isInvited(member, invitations) && labels.isInvited,
    !member.active && labels.states.deactivated,
  ].filter((each) => each !== false);
  return (
    <li className={classes.row} data-selectable={onSelect ? true : undefined}>
      {onSelect && !isSelf && (
        <label className={classes.check}>
          <Checkbox aria-label={labels.select(member.name)} checked={isSelected} onChange={onSelect} />
        </label>
      )}
      <div className={classes.picture}>
        <ActorAvatar organizationId={organizationId} actorId={member.person_id} size={32} />
      </div>
      <div className={classes.about}>
        <div className={classes.name}>
          <bdi>{member.name}</bdi>{" "}
          {states.map((each) => (
            <Badge key={each} variant="light" color="gray">
              {each}
            </Badge>
          ))}
        </div>
        <bdi className={classes.more}>{member.email ?? labels.noAddress}</bdi>
      </div>
      <span className={classes.since}>
        {member.imported ? (
          labels.notSignedIn
        ) : (
          <>
            <VisuallyHidden>{labels.headings.joined} </VisuallyHidden>
            {shortDate(member.created_at)}
          </>
        )}
      </span>
      <div className={classes.role}>
        {mayChange ? (
          <RoleMenu
            label={labels.roleOf(member.name)}
            roles={assignableBy(role)}
            value={member.role}
            disabled={change.isPending}
            onChange={(chosen) => change.mutate({ role: chosen })}
          />
        ) : (
          administration.roles[member.role]
        )}
      </div>
      <div className={classes.menu}>
        {mayChange && !isSelf && (
          <MemberActions
            member={member}
            onActive={(active) => change.mutateAsync({ active })}
            onInvited={onInvited}
          />
        )}
      </div>
    </li>
  );
}
