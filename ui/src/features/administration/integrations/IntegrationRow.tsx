import { Link } from "@tanstack/react-router";
import { KeyMenu } from "@/model/keys/KeyMenu";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { administration } from "@/texts/administration";
import { KeyRow } from "../keys/KeyRow";
import type { ApiKey, Shown } from "./queries";
import { SpaceRoles } from "./SpaceRoles";
import { useIntegrationKey } from "./useIntegrationKey";

interface Props {
  known: ApiKey;
  onShow: (shown: Shown) => void;
  onRevoked: (known: ApiKey) => void;
}

/** A key in the table, with its integration and the roles of it. */
export function IntegrationRow({ known, onShow, onRevoked }: Props) {
  const { actions, dialog } = useIntegrationKey(known, { onShow, onRevoked });
  return (
    <KeyRow
      known={known}
      picture={
        <ActorAvatar organizationId={known.organization_id} actorId={known.integration_id} size={32} />
      }
      title={
        <Link
          to="/o/$organizationId/administration/integrations/keys/$apiKeyId"
          params={{ organizationId: known.organization_id, apiKeyId: known.api_key_id }}
        >
          <bdi>{known.name}</bdi>
        </Link>
      }
      more={
        <>
          <div>
            {known.key_name !== known.name && (
              <>
                <bdi>{known.key_name}</bdi> ·{" "}
              </>
            )}
            <code>atro_…{known.last_four}</code>
            {known.organization_role !== "member" && ` · ${administration.roles[known.organization_role]}`}
          </div>
          <SpaceRoles known={known} />
        </>
      }
    >
      <KeyMenu {...actions} />
      {dialog}
    </KeyRow>
  );
}
