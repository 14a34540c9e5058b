import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isExpired, rotatedFor, limitsOfNew } from "@/model/keys/limits";
import { useChange } from "@/kit/data/useChange";
import { hideSecret } from "@/kit/overlay/SecretAlert";
import { administration } from "@/texts/administration";
import { KeyDialog, type KeyValues } from "@/model/keys/KeyDialog";
import { texts } from "@/texts";
import { keyPolicyOf, useKeyRules } from "../keys/policy";
import { useKeyAudit } from "../keys/useKeyAudit";
import { hasRole, useOrganization } from "../useOrganization";
import { IntegrationDialog } from "./IntegrationDialog";
import { keysOf, revokeIntegration, rotateIntegration, showKey, type ApiKey, addKey } from "./queries";

/** Return what the reader can do with a key of an integration, as `KeyMenu` takes it, and the open dialog. */
export function useIntegrationKey(known: ApiKey, onRevoked?: () => void) {
  const { role } = useOrganization();
  const onAudit = useKeyAudit(known.api_key_id);
  const [open, setOpen] = useState<"edit" | "add" | null>(null);
  const stale = [keysOf(known.organization_id).queryKey];
  const { data: policy } = useQuery(keyPolicyOf(known.organization_id));
  const maxDays = policy?.max_lifetime_days ?? null;
  const rotate = useChange({
    change: (key: ApiKey) => rotateIntegration(key, maxDays),
    invalidates: stale,
    done: showKey,
    handlesErrors: true,
  });
  const revoke = useChange({
    change: revokeIntegration,
    invalidates: stale,
    done: () => {
      hideSecret(known.organization_id, known.api_key_id);
      onRevoked?.();
    },
    handlesErrors: true,
  });
  const isManaged = role === "super_admin" || !hasRole(known.organization_role, "admin");
  const close = () => setOpen(null);
  return {
    actions: {
      name: known.name === known.key_name ? known.name : `${known.name}, ${known.key_name}`,
      hasExpired: isExpired(known, new Date()),
      rotatedFor: rotatedFor(known, new Date(), maxDays),
      revokeHint: administration.integrations.revokeHint,
      onAudit,
      onRevoke: () => revoke.mutateAsync(known),
      ...(isManaged && {
        onEdit: () => setOpen("edit"),
        onAdd: () => setOpen("add"),
        onRotate: () => rotate.mutateAsync(known),
      }),
    },
    dialog: (
      <>
        {open === "add" && <AddKeyDialog known={known} onClose={close} />}
        {open === "edit" && <IntegrationDialog known={known} onClose={close} />}
      </>
    ),
  };
}

interface AddKeyDialogProps {
  known: ApiKey;
  onClose: () => void;
}

const labels = texts.apiKeys;

/** Create another key of an integration. */
function AddKeyDialog({ known, onClose }: AddKeyDialogProps) {
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
