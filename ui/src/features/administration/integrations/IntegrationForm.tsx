import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { ExpiryField } from "@/model/keys/ExpiryField";
import { KeyLimitsFields } from "@/model/keys/KeyLimitsFields";
import { hasNoScope, needNetworks, unlimited, valuesOf, type LimitValues } from "@/model/keys/limits";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { useKeyRules } from "../keys/policy";
import { RoleSelect } from "../RoleSelect";
import { assignableBy, useOrganization, type Role } from "../useOrganization";
import type { ApiKey, SpaceGrant } from "./queries";
import { hasNoAccess } from "./hasNoAccess";
import { SpaceGrantFields } from "../SpaceGrantFields";

export interface IntegrationFormValues {
  name: string;
  description: string;
  organization_role: Role;
  spaces: SpaceGrant[];
  /** A date; empty for a key that does not expire. */
  expires: string;
  limits: LimitValues;
}

interface Props {
  known?: ApiKey;
  action: string;
  error: unknown;
  isPending: boolean;
  onCancel: () => void;
  onDone: (values: IntegrationFormValues) => void;
}

const labels = administration.integrations;

/** Return the expiry date of a key; empty if it does not expire. */
export const lastDayOf = (known: ApiKey): string => known.expires_at?.slice(0, 10) ?? "";

/** The form of an integration: name, description, expiry and roles. */
export function IntegrationForm({ known, action, error, isPending, onCancel, onDone }: Props) {
  const { organizationId, role } = useOrganization();
  const rules = useKeyRules(organizationId);
  const [wanted, setWanted] = useState<IntegrationFormValues>({
    name: known?.name ?? "",
    description: known?.description ?? "",
    organization_role: known?.organization_role ?? "member",
    spaces: known?.spaces ?? [],
    expires: known ? lastDayOf(known) : "",
    limits: known ? valuesOf(known) : unlimited,
  });
  const set = (name: "name" | "description") => (event: { currentTarget: { value: string } }) =>
    setWanted({ ...wanted, [name]: event.currentTarget.value });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone({ ...wanted, name: wanted.name.trim(), description: wanted.description.trim() });
      }}
    >
      <Stack>
        {error !== null && <Alert color="red">{messageOf(error)}</Alert>}
        <TextInput
          label={labels.name}
          description={labels.nameMore}
          required
          maxLength={200}
          value={wanted.name}
          onChange={set("name")}
          data-autofocus
        />
        <TextInput
          label={labels.description}
          maxLength={2000}
          value={wanted.description}
          onChange={set("description")}
        />
        <SpaceGrantFields
          organizationId={organizationId}
          grants={wanted.spaces}
          more={labels.spacesMore}
          onChange={(spaces) => setWanted({ ...wanted, spaces })}
        />
        {hasNoAccess(wanted) && (
          <Alert color="orange" py="xs">
            {labels.noAccess}
          </Alert>
        )}
        <RoleSelect
          label={labels.role}
          description={labels.roleMore}
          roles={assignableBy(role)}
          value={wanted.organization_role}
          onChange={(organization_role) => setWanted({ ...wanted, organization_role })}
        />
        <ExpiryField
          label={labels.expires}
          known={known}
          rules={rules}
          limits={wanted.limits}
          value={wanted.expires}
          onChange={(expires) => setWanted({ ...wanted, expires })}
        />
        <KeyLimitsFields
          ofIntegration
          needsNetworks={!known && needNetworks(rules)}
          values={wanted.limits}
          within={known?.scopes}
          onChange={(limits) => setWanted({ ...wanted, limits })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.app.cancel}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={!wanted.name.trim() || hasNoScope(wanted.limits)}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
