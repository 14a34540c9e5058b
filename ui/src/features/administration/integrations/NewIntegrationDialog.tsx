import { Dialog } from "@/kit/Dialog";
import { useChange } from "@/kit/useChange";
import { limitsOfNew } from "@/model/keys/limits";
import { administration } from "@/texts/administration";
import { useKeyRules } from "../keys/policy";
import { useOrganization } from "../useOrganization";
import { IntegrationForm, type IntegrationFormValues } from "./IntegrationForm";
import { createIntegration, keysOf } from "./queries";

interface Props {
  onClose: () => void;
  onCreated: (name: string, key: string) => void;
}

const labels = administration.integrations;

export function NewIntegrationDialog({ onClose, onCreated }: Props) {
  const { organizationId } = useOrganization();
  const rules = useKeyRules(organizationId);
  const create = useChange({
    change: ({ expires, limits, ...content }: IntegrationFormValues) =>
      createIntegration(organizationId, { ...content, ...limitsOfNew({ expires, limits }, rules) }),
    invalidates: [keysOf(organizationId).queryKey],
    done: ({ api_key, key }) => onCreated(api_key.name, key),
    handlesErrors: true,
  });
  return (
    <Dialog onClose={onClose} title={labels.create} centered>
      <IntegrationForm
        action={labels.create}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onDone={create.mutate}
      />
    </Dialog>
  );
}
