import { Checkbox, Input, NativeSelect, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { FormDialog, type FormDialogProps } from "@/kit/overlay/FormDialog";
import { texts } from "@/texts";
import { keyLimits } from "@/texts/keyLimits";
import classes from "./KeyDialog.module.css";
import {
  ALL_SCOPES,
  hasNoScope,
  isExpired,
  lastDay,
  limitsOf,
  maxDaysOf,
  needNetworks,
  unlimited,
  valuesOf,
  type KeyRules,
  type LimitValues,
  type Scope,
} from "./limits";

export interface KeyValues extends LimitValues {
  name: string;
}

interface Props extends Pick<FormDialogProps, "title" | "hint" | "action" | "change" | "onClose"> {
  known?: Pick<Schemas["PersonalKey"], "name" | "expires_at" | "scopes" | "allowed_networks">;
  ofIntegration?: boolean;
  /** Those of which the key must fit one; none is no limit. */
  rules: KeyRules[];
  labels?: { name: string; nameHint: string; expiry: string };
  /** Further fields, after the name. */
  children?: ReactNode;
  onDone: (values: KeyValues) => void;
}

/** Asks for a key: its name, when it expires, what it may do, and where it may be used. */
export function KeyDialog(props: Props) {
  const { known, ofIntegration, rules, labels = texts.apiKeys, children } = props;
  const { title, hint, action, change, onClose, onDone } = props;
  const [values, setValues] = useState<KeyValues>({
    name: known?.name ?? "",
    ...(known ? valuesOf(known) : unlimited),
  });
  const set = (changed: Partial<KeyValues>) => setValues({ ...values, ...changed });
  const hasExpired = known !== undefined && isExpired(known, new Date()); // only a rotation gives it another date
  const maxDays = maxDaysOf(rules, limitsOf(values));
  const needsNetworks = !known && needNetworks(rules);
  return (
    <FormDialog
      title={title}
      hint={hint}
      action={action}
      isIncomplete={!values.name.trim() || hasNoScope(values)}
      change={change}
      onSubmit={() => onDone({ ...values, name: values.name.trim() })}
      onClose={onClose}
    >
      <TextInput
        label={labels.name}
        description={labels.nameHint}
        required
        maxLength={200}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      {children}
      {!hasExpired && (
        <TextInput
          type="date"
          label={labels.expiry}
          description={maxDays === null ? texts.apiKeys.expiryHint : texts.apiKeys.expiryWithin(maxDays)}
          required={!known && maxDays !== null}
          max={known ? undefined : lastDay(new Date(), maxDays)}
          value={values.expires}
          onChange={(event) => set({ expires: event.currentTarget.value })}
        />
      )}
      <ScopesField
        chosen={values.scopes}
        within={known?.scopes ?? null}
        full={ofIntegration ? keyLimits.fullOfIntegration : keyLimits.full}
        onChange={(scopes) => set({ scopes })}
      />
      <TextInput
        label={keyLimits.networks}
        description={needsNetworks ? keyLimits.networksNeeded : keyLimits.networksHint}
        required={needsNetworks}
        spellCheck={false}
        autoCapitalize="off"
        value={values.networks}
        onChange={(event) => set({ networks: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

interface ScopesProps {
  chosen: Scope[] | null;
  /** The scopes that the key has now, of which some can be taken away; null for a new key or one without scopes. */
  within: Scope[] | null;
  /** What a key without scopes may do. */
  full: string;
  onChange: (scopes: Scope[] | null) => void;
}

function ScopesField({ chosen, within, full, onChange }: ScopesProps) {
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(ALL_SCOPES.filter((each) => (each === scope ? isChosen : chosen?.includes(each))));
  return (
    <>
      {within === null && (
        <NativeSelect
          label={keyLimits.access}
          value={chosen === null ? "full" : "chosen"}
          onChange={(event) => onChange(event.currentTarget.value === "full" ? null : [])}
        >
          <option value="full">{full}</option>
          <option value="chosen">{keyLimits.chosen}</option>
        </NativeSelect>
      )}
      {chosen !== null && (
        <fieldset className={classes.scopes}>
          <Input.Label component="legend">{keyLimits.scopes}</Input.Label>
          <Input.Description>{within ? keyLimits.scopesNarrowHint : keyLimits.scopesHint}</Input.Description>
          <ul>
            {(within ?? ALL_SCOPES).map((scope) => (
              <li key={scope}>
                <Checkbox
                  label={<code>{scope}</code>}
                  description={keyLimits.scope[scope]}
                  checked={chosen.includes(scope)}
                  onChange={(event) => toggle(scope, event.currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
    </>
  );
}
