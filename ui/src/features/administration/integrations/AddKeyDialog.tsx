import { Text } from "@mantine/core";
import { Dialog } from "@/kit/overlay/Dialog";
import { useChange } from "@/kit/data/useChange";
import { KeyForm, type KeyValues } from "@/model/keys/KeyForm";
import { limitsOfNew } from "@/model/keys/limits";
import { texts } from "@/texts";
import { useKeyRules } from "../keys/policy";
import { addKey, keysOf, type ApiKey, type Shown } from "./queries";

interface Props {
  known: ApiKey;
  onClose: () => void;
  onCreated: (shown: Shown) => void;
}

const labels = texts.apiKeys;

/** Create another key of an integration. */
export function AddKeyDialog({ known, onClose, onCreated }: Props) {
  const rules = useKeyRules(known.organization_id);
  const create = useChange({
    change: ({ name, ...limits }: KeyValues) =>
      addKey(known, { key_name: name, ...limitsOfNew(limits, rules) }),
    invalidates: [keysOf(known.organization_id).queryKey],
    done: ({ api_key, key }) => onCreated({ name: api_key.name, key }),
    handlesErrors: true,
  });
  return (
    <Dialog onClose={onClose} title={labels.addTitle(known.name)} centered>
      <Text size="sm" mb="md">
        {labels.addMore}
      </Text>
      <KeyForm
        ofIntegration
        rules={rules}
        action={labels.create}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onDone={create.mutate}
      />
    </Dialog>
  );
}
