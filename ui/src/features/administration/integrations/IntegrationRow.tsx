import { Badge } from "@mantine/core";
import { isExpired } from "@/kit/expiry";
import { Row } from "@/kit/Rows";
import { formatRelative, shortDate } from "@/kit/times";
import { KeyLimits } from "@/model/keys/KeyLimits";
import { KeyMenu } from "@/model/keys/KeyMenu";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { hasRole, useOrganization } from "../useOrganization";
import type { ApiKey } from "./queries";
import { SpaceRoles } from "./SpaceRoles";

interface Props {
  known: ApiKey;
  onEdit: () => void;
  onAdd: () => void;
  onRotate: () => Promise<unknown>;
  onRevoke: () => Promise<unknown>;
}

const labels = administration.integrations;

/** An integration with its roles, its key and its actions. */
export function IntegrationRow({ known, onEdit, onAdd, onRotate, onRevoke }: Props) {
  const now = new Date();
  const { role } = useOrganization();
  const hasExpired = isExpired(known, now);
  const isManaged = role === "super_admin" || !hasRole(known.organization_role, "admin");
  return (
    <Row
      picture={<ActorAvatar organizationId={known.organization_id} actorId={known.integration_id} />}
      title={<bdi>{known.name}</bdi>}
      mark={
        <>
          {known.organization_role !== "member" && (
            <Badge variant="light" color="gray">
              {administration.roles[known.organization_role]}
            </Badge>
          )}
          {hasExpired && (
            <Badge variant="light" color="red">
              {labels.expired}
            </Badge>
          )}
        </>
      }
      more={
        <>
          {known.description && <div>{known.description}</div>}
          <SpaceRoles known={known} />
          <KeyLimits known={known} />
          <div>
            {known.key_name !== known.name && (
              <>
                <bdi>{known.key_name}</bdi> ·{" "}
              </>
            )}
            <code>atro_…{known.last_four}</code> ·{" "}
            {known.last_used_at
              ? texts.apiKeys.used(formatRelative(known.last_used_at, now))
              : texts.apiKeys.unused}{" "}
            · {labels.made(shortDate(known.created_at))}
            {known.created_by && (
              <>
                {" "}
                {labels.by} <ActorName organizationId={known.organization_id} actorId={known.created_by} />
              </>
            )}
            {known.expires_at && !hasExpired && ` · ${labels.expiresOn(shortDate(known.expires_at))}`}
          </div>
        </>
      }
    >
      <KeyMenu
        name={known.name === known.key_name ? known.name : `${known.name}, ${known.key_name}`}
        hasExpired={hasExpired}
        revokeMore={labels.revokeMore}
        onRevoke={onRevoke}
        {...(isManaged && { onEdit, onAdd, onRotate })}
      />
    </Row>
  );
}
