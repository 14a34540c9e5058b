import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isExpired, rotatedFor } from "@/model/keys/limits";
import { useChange } from "@/kit/data/useChange";
import { hideSecret } from "@/kit/overlay/SecretAlert";
import { administration } from "@/texts/administration";
import { keyPolicyOf } from "../keys/policy";
import { useKeyAudit } from "../keys/useKeyAudit";
import { hasRole, useOrganization } from "../useOrganization";
import { AddKeyDialog } from "./AddKeyDialog";
import { IntegrationDialog } from "./IntegrationDialog";
import { keysOf, revokeIntegration, rotateIntegration, showKey, type ApiKey } from "./queries";

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
