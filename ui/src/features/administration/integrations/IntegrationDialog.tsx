import { Alert, TextInput } from "@mantine/core";
import { useState } from "react";
import { showNotice } from "@/kit/overlay/notices";
import { useChange } from "@/kit/data/useChange";
import { KeyDialog, type KeyValues } from "@/model/keys/KeyDialog";
import { changedLimits, limitsOfNew } from "@/model/keys/limits";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { useKeyRules } from "../keys/policy";
import { RoleSelect } from "../RoleChoice";
import { SpaceGrantFields } from "../SpaceGrantFields";
import { assignableBy, useOrganization } from "../useOrganization";
import { createIntegration, hasNoAccess, keysOf, showKey, updateIntegration, type ApiKey } from "./queries";

type Content = Pick<ApiKey, "name" | "description" | "organization_role" | "spaces">;

interface Props {
  /** The key to change, with its integration; a new integration without it. */
  known?: ApiKey;
  onClose: () => void;
}

const labels = administration.integrations;
const formLabels = { name: labels.name, nameHint: labels.nameHint, expiry: labels.expires };

/** Send only the changed fields, so that simultaneous changes by others stay. */
function changesOf(known: ApiKey, { name, description, organization_role, spaces }: Content) {
  return {
    ...(name !== known.name && { name }),
    ...(description !== known.description && { description }),
    ...(organization_role !== known.organization_role && { organization_role }),
    ...(spaces !== known.spaces && { spaces }),
  };
}

/** Create an integration with its key, or change both. */
export function IntegrationDialog({ known, onClose }: Props) {
  const { organizationId, role } = useOrganization();
  const rules = useKeyRules(organizationId);
  const [wanted, setWanted] = useState<Omit<Content, "name">>({
    description: known?.description ?? "",
    organization_role: known?.organization_role ?? "member",
    spaces: known?.spaces ?? [],
  });
  const save = useChange({
    change: async ({ name, ...limits }: KeyValues) => {
      const content = { ...wanted, name, description: wanted.description.trim() };
      if (!known) return createIntegration(organizationId, { ...content, ...limitsOfNew(limits, rules) });
      await updateIntegration(known, { ...changesOf(known, content), ...changedLimits(known, limits) });
      return null;
    },
    invalidates: [keysOf(organizationId).queryKey],
    done: (created) => {
      if (created) showKey(created);
      else showNotice(texts.app.saved);
      onClose();
    },
    handlesErrors: true,
  });
  return (
    <KeyDialog
      title={known ? labels.editTitle(known.name) : labels.create}
      ofIntegration
      known={known}
      rules={rules}
      labels={formLabels}
      action={known ? texts.app.save : labels.create}
      change={save}
      onDone={save.mutate}
      onClose={onClose}
    >
      <TextInput
        label={labels.description}
        maxLength={2000}
        value={wanted.description}
        onChange={(event) => setWanted({ ...wanted, description: event.currentTarget.value })}
      />
      <SpaceGrantFields
        organizationId={organizationId}
        grants={wanted.spaces}
        hint={labels.spacesHint}
        onChange={(spaces) => setWanted({ ...wanted, spaces })}
      />
      {hasNoAccess(wanted) && (
        <Alert color="orange" py="xs">
          {labels.noAccess}
        </Alert>
      )}
      <RoleSelect
        label={labels.role}
        description={labels.roleHint}
        roles={assignableBy(role)}
        value={wanted.organization_role}
        onChange={(organization_role) => setWanted({ ...wanted, organization_role })}
      />
    </KeyDialog>
  );
}
