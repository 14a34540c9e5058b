import { Badge, Button } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { QueryResult } from "@/kit/QueryResult";
import { Row } from "@/kit/Rows";
import { Rows } from "@/kit/Rows";
import { useChange } from "@/kit/useChange";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { spaceMembersKey, spacesKey } from "@/model/queryKeys";
import { useSpaceMembers, type Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { SPACE_ROLES, type SpaceRole } from "../groups";
import { Part } from "../Part";
import { RoleMenu } from "../RoleMenu";
import { AddMemberDialog } from "./AddMemberDialog";
import { setRole } from "./queries";

const AT_ONCE = 50;
const labels = administration.spaces;

/** The members of a space: the effective role, and the role granted in this space. */
export function SpaceMembers({ space }: { space: Space }) {
  const members = useSpaceMembers(space.space_id);
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState(AT_ONCE);
  const set = useChange({
    change: ({ actorId, role }: { actorId: string; role: SpaceRole | "none" }) =>
      setRole(space.space_id, actorId, role),
    stale: [spaceMembersKey(space.space_id), spacesKey()],
    done: texts.app.saved,
  });
  const action = (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<UserPlus size={15} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      {labels.add}
    </Button>
  );
  return (
    <Part title={labels.members} more={labels.membersMore} action={action}>
      <QueryResult of={members}>
        {(all) => (
          <>
            <Rows label={labels.members}>
              {all.slice(0, shown).map((member) => (
                <Row
                  key={member.actor_id}
                  picture={
                    <ActorAvatar organizationId={space.organization_id} actorId={member.actor_id} size={30} />
                  }
                  title={<bdi>{member.name}</bdi>}
                  mark={
                    member.actor_type === "integration" && (
                      <Badge variant="light" color="gray">
                        {texts.people.integration}
                      </Badge>
                    )
                  }
                  more={member.role !== member.granted && labels.holds(administration.roles[member.role])}
                >
                  <RoleMenu
                    label={labels.granted(member.name)}
                    roles={["none", ...SPACE_ROLES]}
                    names={{ none: labels.notGranted }}
                    value={member.granted ?? "none"}
                    disabled={set.isPending}
                    onChange={(role) => set.mutate({ actorId: member.actor_id, role })}
                  />
                </Row>
              ))}
            </Rows>
            {all.length > shown && (
              <Button variant="default" mt="sm" onClick={() => setShown(shown + 4 * AT_ONCE)}>
                {texts.app.more}
              </Button>
            )}
            {isAdding && <AddMemberDialog space={space} members={all} onClose={() => setAdding(false)} />}
          </>
        )}
      </QueryResult>
    </Part>
  );
}
