import { useMutation } from "@tanstack/react-query";
import { Dialog } from "@/kit/overlay/Dialog";
import { KeyForm, type KeyValues } from "@/model/keys/KeyForm";
import { changedLimits, limitsOfNew, type KeyRules } from "@/model/keys/limits";
import { texts } from "@/texts";
import { createKey, updateKey, type PersonalKey } from "./queries";

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
export function KeyDialog({ known, rules, onClose, onDone }: Props) {
  const save = useMutation({
    mutationFn: async ({ name, ...limits }: KeyValues) => {
      if (!known) {
        return (await createKey({ name, ...limitsOfNew(limits, rules) })).key;
      }
      await updateKey(known, {
        ...(name !== known.name && { name }),
        ...changedLimits(known, limits),
      });
      return undefined;
    },
    onSuccess: onDone,
  });
  return (
    <Dialog onClose={onClose} title={known ? labels.editTitle(known.name) : labels.create} centered>
      <KeyForm
        known={known}
        rules={rules}
        action={known ? texts.app.save : labels.create}
        error={save.error}
        isPending={save.isPending}
        onCancel={onClose}
        onDone={save.mutate}
      />
    </Dialog>
  );
}
