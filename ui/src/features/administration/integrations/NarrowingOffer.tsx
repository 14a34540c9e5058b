import { Alert, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { useChange } from "@/kit/data/useChange";
import { countedSince } from "@/model/keys/usage/usage";
import { managedKeys } from "@/texts/managedKeys";
import { narrowingOf } from "./narrowing";
import { keysOf, updateIntegration, usageOf, type ApiKey } from "./queries";

const labels = managedKeys.page;

/** Offers to take away what a key did not need. */
export function NarrowingOffer({ known }: { known: ApiKey }) {
  const { data: usage } = useQuery(usageOf(known));
  const [isAsking, setAsking] = useState(false);
  const narrow = useChange({
    change: (scopes: ApiKey["scopes"]) => updateIntegration(known, { scopes }),
    invalidates: [keysOf(known.organization_id).queryKey],
    done: labels.narrowed,
    handlesErrors: true,
  });
  const offer = usage && narrowingOf(known, usage);
  if (!offer) return null;
  const { left, removed } = offer;
  const since = countedSince(usage);
  return (
    <Alert
      color="blue"
      mb="md"
      icon={<ShieldCheck size={18} aria-hidden />}
      title={removed ? labels.unused(removed.length, since) : labels.onlyUsed(since)}
    >
      {removed ? labels.unusedMore(removed.join(", ")) : labels.onlyUsedMore(left.join(", "))}
      <br />
      <Button size="compact-sm" variant="default" mt={8} onClick={() => setAsking(true)}>
        {removed ? labels.remove : labels.limit}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={removed ? labels.askRemove(known.key_name) : labels.askLimit(known.key_name)}
          action={removed ? labels.remove : labels.limit}
          onConfirm={() => narrow.mutateAsync(left)}
          onClose={() => setAsking(false)}
        >
          {removed ? labels.removeMore(removed.join(", ")) : labels.limitMore(left.join(", "))}
        </ConfirmDialog>
      )}
    </Alert>
  );
}
