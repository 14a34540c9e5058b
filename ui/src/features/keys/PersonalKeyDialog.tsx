import { useChange } from "@/kit/data/useChange";
import { KeyDialog, type KeyValues } from "@/model/keys/KeyDialog";
import { changedLimits, limitsOfNew, type KeyRules } from "@/model/keys/limits";
import { texts } from "@/texts";
import { createKey, ownKeys, updateKey, type PersonalKey } from "./queries";

interface Props {
  /** The key to edit; a new one without it. */
  known?: PersonalKey;
  rules: KeyRules[];
  onClose: () => void;
  /** Called with a new key, or without one after a change. */
  onDone: (key?: string) => void;
}

const labels = texts.apiKeys;

/** Create a personal key, or change one. */
export function PersonalKeyDialog({ known, rules, onClose, onDone }: Props) {
  const save = useChange({
    change: async ({ name, ...limits }: KeyValues) => {
      if (!known) return (await createKey({ name, ...limitsOfNew(limits, rules) })).key;
      await updateKey(known, { ...(name !== known.name && { name }), ...changedLimits(known, limits) });
      return undefined;
    },
    invalidates: [ownKeys.queryKey],
    done: onDone,
    handlesErrors: true,
  });
  return (
    <KeyDialog
      title={known ? labels.editTitle(known.name) : labels.create}
      known={known}
      rules={rules}
      action={known ? texts.app.save : labels.create}
      change={save}
      onDone={save.mutate}
      onClose={onClose}
    />
  );
}
