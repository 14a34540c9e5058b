import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { isExpired, lastDay } from "@/kit/expiry";
import { texts } from "@/texts";
import { KeyLimitsFields } from "./KeyLimitsFields";
import {
  hasNoScope,
  limitsOf,
  maxDaysOf,
  unlimited,
  valuesOf,
  type KeyRules,
  type LimitValues,
} from "./limits";

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
  rules?: KeyRules[];
  action: string;
  error: unknown;
  isPending: boolean;
  onCancel: () => void;
  onDone: (values: KeyValues) => void;
}

const labels = texts.apiKeys;

/** The form of a key: its name, when it expires and its limits. */
export function KeyForm(props: Props) {
  const { known, ofIntegration, rules = [], action, error, isPending, onCancel, onDone } = props;
  const [values, setValues] = useState<KeyValues>({
    name: known?.name ?? "",
    expires: known?.expires_at?.slice(0, 10) ?? "",
    limits: known ? valuesOf(known) : unlimited,
  });
  const maxDays = maxDaysOf(rules, limitsOf(values.limits));
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
        {!(known && isExpired(known, new Date())) && (
          <TextInput
            type="date"
            label={labels.expiry}
            description={maxDays === null ? labels.expiryMore : labels.expiryWithin(maxDays)}
            required={!known && maxDays !== null}
            max={known ? undefined : lastDay(new Date(), maxDays)}
            value={values.expires}
            onChange={(event) => setValues({ ...values, expires: event.currentTarget.value })}
          />
        )}
        <KeyLimitsFields
          values={values.limits}
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
