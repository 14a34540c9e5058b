import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { texts } from "@/texts";
import { ExpiryField } from "./ExpiryField";
import { KeyLimitsFields } from "./KeyLimitsFields";
import { hasNoScope, needNetworks, unlimited, valuesOf, type KeyRules, type LimitValues } from "./limits";

export interface KeyValues {
  name: string;
  /** A date; empty for a key that does not expire. */
  expires: string;
  limits: LimitValues;
}

interface Props {
  known?: Pick<Schemas["PersonalKey"], "name" | "expires_at" | "scopes" | "allowed_networks">;
  ofIntegration?: boolean;
  /** Those of which the key must fit one; none is no limit. */
  rules: KeyRules[];
  action: string;
  error: unknown;
  isPending: boolean;
  onCancel: () => void;
  onDone: (values: KeyValues) => void;
}

const labels = texts.apiKeys;

/** The form of a key: its name, when it expires and its limits. */
export function KeyForm(props: Props) {
  const { known, ofIntegration, rules, action, error, isPending, onCancel, onDone } = props;
  const [values, setValues] = useState<KeyValues>({
    name: known?.name ?? "",
    expires: known?.expires_at?.slice(0, 10) ?? "",
    limits: known ? valuesOf(known) : unlimited,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone({ ...values, name: values.name.trim() });
      }}
    >
      <Stack>
        {error !== null && <Alert color="red">{messageOf(error)}</Alert>}
        <TextInput
          label={labels.name}
          description={labels.nameMore}
          required
          maxLength={200}
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          data-autofocus
        />
        <ExpiryField
          known={known}
          rules={rules}
          limits={values.limits}
          value={values.expires}
          onChange={(expires) => setValues({ ...values, expires })}
        />
        <KeyLimitsFields
          values={values.limits}
          needsNetworks={!known && needNetworks(rules)}
          within={known?.scopes}
          ofIntegration={ofIntegration}
          onChange={(limits) => setValues({ ...values, limits })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.app.cancel}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={!values.name.trim() || hasNoScope(values.limits)}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
