import { useChange } from "@/kit/data/useChange";
import { KeyDialog, type KeyValues } from "@/model/keys/KeyDialog";
import { limitsOfNew } from "@/model/keys/limits";
import { texts } from "@/texts";
import { useKeyRules } from "../keys/policy";
import { addKey, keysOf, showKey, type ApiKey } from "./queries";

interface Props {
  known: ApiKey;
  onClose: () => void;
}

const labels = texts.apiKeys;

/** Create another key of an integration. */
export function AddKeyDialog({ known, onClose }: Props) {
  const rules = useKeyRules(known.organization_id);
  const create = useChange({
    change: ({ name, ...limits }: KeyValues) =>
      addKey(known, { key_name: name, ...limitsOfNew(limits, rules) }),
    invalidates: [keysOf(known.organization_id).queryKey],
    done: (created) => {
      showKey(created);
      onClose();
    },
    handlesErrors: true,
  });
  return (
    <KeyDialog
      title={labels.addTitle(known.name)}
      hint={labels.addHint}
      ofIntegration
      rules={rules}
      action={labels.create}
      change={create}
      onDone={create.mutate}
      onClose={onClose}
    />
  );
}
