import { Button, Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorAlert } from "@/kit/layout/ErrorAlert";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { dayOf } from "@/kit/text/days";
import { shortDate } from "@/kit/text/times";
import { useChange } from "@/kit/data/useChange";
import { keyPolicy as labels } from "@/texts/keyPolicy";
import { useOrganization } from "../useOrganization";
import classes from "./KeyPolicyForm.module.css";
import {
  isInForce,
  keyPolicyOf,
  PERSONAL_KEYS,
  policyOf,
  policyPreviewOf,
  policyValuesOf,
  setKeyPolicy,
  type KeyPolicy,
  type KeyPolicyEffect,
} from "./policy";
import { PolicyEffect } from "./PolicyEffect";

const SETTLES_MS = 300;

/** The form of the key policy, next to what it would change. Asks before keys stop. */
export function KeyPolicyForm({ known }: { known: KeyPolicy }) {
  const { organizationId } = useOrganization();
  const [values, setValues] = useState(() => policyValuesOf(known, new Date()));
  const [isAsking, setAsking] = useState(false);
  const [settled] = useDebouncedValue(values, SETTLES_MS);
  const preview = useQuery(policyPreviewOf(organizationId, policyOf(settled)));
  const save = useChange({
    change: () => setKeyPolicy(organizationId, policyOf(values)),
    invalidates: [keyPolicyOf(organizationId).queryKey],
    done: labels.saved,
    handlesErrors: true,
  });
  const isCurrent = preview.isSuccess && !preview.isPlaceholderData && settled === values;
  const keys = preview.data ? countOf(preview.data) : 0;
  return (
    <div className={classes.columns}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (keys > 0) setAsking(true);
          else save.mutate();
        }}
      >
        <Stack>
          {!isAsking && <ErrorAlert error={save.error} />}
          <TextInput
            type="number"
            min={1}
            max={3650}
            label={labels.lifetime}
            description={labels.lifetimeHint}
            value={values.days}
            onChange={(event) => setValues({ ...values, days: event.currentTarget.value })}
          />
          <NativeSelect
            label={labels.personal}
            description={labels.personalHint}
            value={values.personal}
            data={PERSONAL_KEYS.map((value) => ({ value, label: labels.personalKeys[value] }))}
            onChange={(event) => {
              const personal = PERSONAL_KEYS.find((each) => each === event.currentTarget.value);
              setValues({ ...values, personal: personal ?? "allowed" });
            }}
          />
          <Checkbox
            label={labels.networks}
            description={labels.networksHint}
            checked={values.networks}
            onChange={(event) => setValues({ ...values, networks: event.currentTarget.checked })}
          />
          <TextInput
            type="date"
            min={dayOf(new Date())}
            label={labels.from}
            description={labels.fromHint}
            value={values.from}
            onChange={(event) => setValues({ ...values, from: event.currentTarget.value })}
          />
          <div>
            <Button type="submit" loading={save.isPending} disabled={!isCurrent}>
              {labels.save}
            </Button>
          </div>
        </Stack>
      </form>
      <ErrorAlert error={preview.error} />
      {preview.data && !preview.error && (
        <PolicyEffect effect={preview.data} isInForce={isInForce(known, settled, new Date())} />
      )}
      {isAsking && preview.data && (
        <ConfirmDialog
          title={labels.ask}
          action={labels.save}
          onConfirm={() => save.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {consequenceOf(preview.data, keys)}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Return how many keys stop. */
const countOf = ({ affected }: KeyPolicyEffect): number =>
  affected.organization_keys + affected.personal_keys;

function consequenceOf({ key_policy: { enforce_at } }: KeyPolicyEffect, keys: number): string {
  const isAhead = enforce_at !== null && Date.parse(enforce_at) > Date.now();
  return isAhead ? labels.askLater(keys, shortDate(enforce_at)) : labels.askNow(keys);
}
