import { Badge } from "@mantine/core";
import { Row } from "@/kit/layout/Rows";
import { useChange } from "@/kit/data/useChange";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { spaceMembersKey, spacesKey } from "@/model/queryKeys";
import type { Space, SpaceMember } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { SPACE_ROLES, type SpaceRole } from "../groups";
import { RoleMenu } from "../RoleChoice";
import { setRole } from "./queries";

interface Props {
  space: Space;
  member: SpaceMember;
}

const labels = administration.spaces;

/** A person or integration with access to a space: the role granted in it, or the role they inherit. */
export function SpaceMemberRow({ space, member }: Props) {
  const set = useChange({
    change: (role: SpaceRole | "none") => setRole(space.space_id, member.actor_id, role),
    invalidates: [spaceMembersKey(space.space_id), spacesKey()],
    done: texts.app.saved,
  });
  const inherits = labels.inherits(administration.roles[member.role]);
  return (
    <Row
      picture={<ActorAvatar organizationId={space.organization_id} actorId={member.actor_id} size={30} />}
      title={<bdi>{member.name}</bdi>}
      mark={
        member.actor_type === "integration" && (
          <Badge variant="light" color="gray">
            {texts.people.integration}
          </Badge>
        )
      }
      details={member.granted !== null && member.role !== member.granted && inherits}
    >
      <RoleMenu
        label={labels.granted(member.name)}
        roles={["none", ...SPACE_ROLES]}
        names={{ none: member.granted === null ? inherits : labels.withdraw }}
        value={member.granted ?? "none"}
        disabled={set.isPending}
        onChange={(role) => set.mutate(role)}
      />
    </Row>
  );
}
