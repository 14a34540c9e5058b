import { NewKeyAlert } from "@/model/keys/NewKeyAlert";
import { administration } from "@/texts/administration";
import { filterKeys, keyFilterOf, type Listed } from "../keys/filter";
import { KeyListing } from "../keys/KeyListing";
import { KeyTable } from "../keys/KeyTable";
import { IntegrationRow } from "./IntegrationRow";
import type { ApiKey, Shown } from "./queries";

interface Props {
  label: string;
  keys: ApiKey[];
  /** Whether the list can be filtered and sorted. */
  isFiltered?: boolean;
  /** A key that was just created or rotated, to show once. */
  shown: Shown | null;
  onShow: (shown: Shown | null) => void;
}

/** The keys of integrations with their actions. */
export function IntegrationList({ label, keys, isFiltered, shown, onShow }: Props) {
  const all = keys.map(listedOf);
  const renderRow = (known: ApiKey) => (
    <IntegrationRow
      key={known.api_key_id}
      known={known}
      onShow={onShow}
      onRevoked={({ name }) => {
        if (shown?.name === name) onShow(null);
      }}
    />
  );
  return (
    <>
      {shown && (
        <NewKeyAlert
          value={shown.key}
          of={administration.integrations.keyOf(shown.name)}
          onDone={() => onShow(null)}
        />
      )}
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
