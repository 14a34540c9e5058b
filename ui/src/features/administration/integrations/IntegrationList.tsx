import { Link } from "@tanstack/react-router";
import { KeyMenu } from "@/model/keys/KeyMenu";
import { NewKeyAlert } from "@/model/keys/NewKeyAlert";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { administration } from "@/texts/administration";
import { filterKeys, keyFilterOf, type Listed } from "../keys/filter";
import { KeyListing } from "../keys/KeyListing";
import { KeyRow } from "../keys/KeyRow";
import { KeyTable } from "../keys/KeyTable";
import { useOrganization } from "../useOrganization";
import type { ApiKey } from "./queries";
import { SpaceRoles } from "./SpaceRoles";
import { useIntegrationKey } from "./useIntegrationKey";

interface Props {
  label: string;
  keys: ApiKey[];
  /** Whether the list can be filtered and sorted. */
  isFiltered?: boolean;
}

/** The keys of integrations with their actions. */
export function IntegrationList({ label, keys, isFiltered }: Props) {
  const all = keys.map(listedOf);
  const { organizationId } = useOrganization();
  const renderRow = (known: ApiKey) => <IntegrationRow key={known.api_key_id} known={known} />;
  return (
    <>
      <NewKeyAlert place={organizationId} keyOf={administration.integrations.keyOf} />
      {keys.length > 0 && isFiltered && <KeyListing label={label} all={all} renderRow={renderRow} />}
      {keys.length > 0 && !isFiltered && (
        <KeyTable label={label}>
          {filterKeys(keyFilterOf({}), all, new Date()).map(({ known }) => renderRow(known))}
        </KeyTable>
      )}
    </>
  );
}

const listedOf = (known: ApiKey): Listed<ApiKey> => ({
  known,
  names: [known.name, known.key_name, known.description],
});

/** A key in the table, with its integration and the roles of it. */
function IntegrationRow({ known }: { known: ApiKey }) {
  const { actions, dialog } = useIntegrationKey(known);
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
      details={
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
