import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isExpired, rotatedFor } from "@/model/keys/limits";
import { useChange } from "@/kit/data/useChange";
import { administration } from "@/texts/administration";
import { keyPolicyOf } from "../keys/policy";
import { useKeyAudit } from "../keys/useKeyAudit";
import { hasRole, useOrganization } from "../useOrganization";
import { AddKeyDialog } from "./AddKeyDialog";
import { IntegrationDialog } from "./IntegrationDialog";
import { keysOf, revokeIntegration, rotateIntegration, type ApiKey, type Shown } from "./queries";

interface Options {
  onShow: (shown: Shown) => void;
  onRevoked: (known: ApiKey) => void;
}

/** Return what the reader can do with a key of an integration, as `KeyMenu` takes it, and the open dialog. */
export function useIntegrationKey(known: ApiKey, { onShow, onRevoked }: Options) {
  const { role } = useOrganization();
  const onAudit = useKeyAudit(known.api_key_id);
  const [open, setOpen] = useState<"edit" | "add" | null>(null);
  const stale = [keysOf(known.organization_id).queryKey];
  const { data: policy } = useQuery(keyPolicyOf(known.organization_id));
  const maxDays = policy?.max_lifetime_days ?? null;
  const rotate = useChange({
    change: (key: ApiKey) => rotateIntegration(key, maxDays),
    invalidates: stale,
    done: ({ api_key, key }) => onShow({ name: api_key.name, key }),
    handlesErrors: true,
  });
  const revoke = useChange({
    change: revokeIntegration,
    invalidates: stale,
    done: () => onRevoked(known),
    handlesErrors: true,
  });
  const isManaged = role === "super_admin" || !hasRole(known.organization_role, "admin");
  const close = () => setOpen(null);
  const created = (shown: Shown) => {
    close();
    onShow(shown);
  };
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
        {open === "add" && <AddKeyDialog known={known} onClose={close} onCreated={created} />}
        {open === "edit" && <IntegrationDialog known={known} onClose={close} />}
      </>
    ),
  };
}
