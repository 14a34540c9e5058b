import { useChange } from "@/kit/data/useChange";
import { KeyDialog, type KeyValues } from "@/model/keys/KeyDialog";
import { changedLimits, limitsOfNew, type KeyRules } from "@/model/keys/limits";
import { texts } from "@/texts";
import { createKey, ownKeys, showKey, updateKey, type PersonalKey } from "./queries";

interface Props {
  /** The key to edit; a new one without it. */
  known?: PersonalKey;
  rules: KeyRules[];
  onClose: () => void;
}

const labels = texts.apiKeys;

/** Create a personal key, or change one. */
export function PersonalKeyDialog({ known, rules, onClose }: Props) {
  const save = useChange({
    change: async ({ name, ...limits }: KeyValues) => {
      if (!known) showKey(await createKey({ name, ...limitsOfNew(limits, rules) }));
      else await updateKey(known, { ...(name !== known.name && { name }), ...changedLimits(known, limits) });
    },
    invalidates: [ownKeys.queryKey],
    done: onClose,
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
