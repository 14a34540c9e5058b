import { Dialog } from "@/kit/Dialog";
import { endOf } from "@/kit/expiry";
import { narrowedLimits } from "@/model/keys/limits";
import { showNotice } from "@/kit/notices";
import { useChange } from "@/kit/useChange";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { IntegrationForm, lastDayOf, type IntegrationFormValues } from "./IntegrationForm";
import { keysOf, updateIntegration, type ApiKey, type ApiKeyUpdate } from "./queries";

interface Props {
  known: ApiKey;
  onClose: () => void;
}

/** Send only the changed fields, so that simultaneous changes by others stay. */
function changesOf(known: ApiKey, wanted: IntegrationFormValues): ApiKeyUpdate {
  const { name, description, organization_role, spaces, expires, limits } = wanted;
  return {
    ...(name !== known.name && { name }),
    ...(description !== known.description && { description }),
    ...(organization_role !== known.organization_role && { organization_role }),
    ...(spaces !== known.spaces && { spaces }),
    ...(expires !== lastDayOf(known) && { expires_at: endOf(expires) }),
    ...narrowedLimits(known, limits),
  };
}

export function EditIntegrationDialog({ known, onClose }: Props) {
  const save = useChange({
    change: (wanted: IntegrationFormValues) => updateIntegration(known, changesOf(known, wanted)),
    invalidates: [keysOf(known.organization_id).queryKey],
    done: () => {
      showNotice(texts.app.saved);
      onClose();
    },
    handlesErrors: true,
  });
  return (
    <Dialog onClose={onClose} title={administration.integrations.editTitle(known.name)} centered>
      <IntegrationForm
        known={known}
        action={texts.app.save}
        error={save.error}
        isPending={save.isPending}
        onCancel={onClose}
        onDone={save.mutate}
      />
    </Dialog>
  );
}
