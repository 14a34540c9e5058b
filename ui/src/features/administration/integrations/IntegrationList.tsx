import { useState } from "react";
import { NewKeyAlert } from "@/kit/NewKeyAlert";
import { Rows } from "@/kit/Rows";
import { useChange } from "@/kit/useChange";
import { administration } from "@/texts/administration";
import { useOrganization } from "../useOrganization";
import { AddKeyDialog } from "./AddKeyDialog";
import { EditIntegrationDialog } from "./EditIntegrationDialog";
import { IntegrationRow } from "./IntegrationRow";
import { keysOf, revokeIntegration, rotateIntegration, type ApiKey } from "./queries";

export interface Shown {
  name: string;
  key: string;
}

interface Props {
  label: string;
  keys: ApiKey[];
  /** A key that was just created or rotated, to show once. */
  shown: Shown | null;
  onShow: (shown: Shown | null) => void;
}

/** The integrations with their actions. */
export function IntegrationList({ label, keys, shown, onShow }: Props) {
  const { organizationId } = useOrganization();
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const [adding, setAdding] = useState<ApiKey | null>(null);
  const stale = [keysOf(organizationId).queryKey];
  const rotate = useChange({
    change: rotateIntegration,
    invalidates: stale,
    done: ({ api_key, key }) => onShow({ name: api_key.name, key }),
    handlesErrors: true,
  });
  const revoke = useChange({
    change: revokeIntegration,
    invalidates: stale,
    done: (_, { name }) => {
      if (shown?.name === name) onShow(null);
    },
    handlesErrors: true,
  });
  return (
    <>
      {shown && (
        <NewKeyAlert
          value={shown.key}
          of={administration.integrations.keyOf(shown.name)}
          onDone={() => onShow(null)}
        />
      )}
      {keys.length > 0 && (
        <Rows label={label}>
          {keys.map((each) => (
            <IntegrationRow
              key={each.api_key_id}
              known={each}
              onEdit={() => setEdited(each)}
              onAdd={() => setAdding(each)}
              onRotate={() => rotate.mutateAsync(each)}
              onRevoke={() => revoke.mutateAsync(each)}
            />
          ))}
        </Rows>
      )}
      {adding && (
        <AddKeyDialog
          known={adding}
          onClose={() => setAdding(null)}
          onCreated={(shown) => {
            setAdding(null);
            onShow(shown);
          }}
        />
      )}
      {edited && <EditIntegrationDialog known={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
