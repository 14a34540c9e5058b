import { Checkbox, Input, NativeSelect, TextInput } from "@mantine/core";
import { keyLimits as labels } from "@/texts/keyLimits";
import classes from "./KeyLimitsFields.module.css";
import { ALL_SCOPES, type LimitValues, type Scope } from "./limits";

interface Props {
  values: LimitValues;
  /** The scopes that the key has now, of which some can be taken away; null for a new key or one without scopes. */
  within?: Scope[] | null;
  ofIntegration?: boolean;
  needsNetworks?: boolean;
  onChange: (values: LimitValues) => void;
}

/** What a key may do, and where it may be used. */
export function KeyLimitsFields({ values, within = null, ofIntegration, needsNetworks, onChange }: Props) {
  const { scopes, networks } = values;
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange({
      ...values,
      scopes: ALL_SCOPES.filter((each) => (each === scope ? isChosen : scopes?.includes(each))),
    });
  return (
    <>
      {within === null && (
        <NativeSelect
          label={labels.access}
          value={scopes === null ? "full" : "chosen"}
          onChange={(event) =>
            onChange({ ...values, scopes: event.currentTarget.value === "full" ? null : [] })
          }
        >
          <option value="full">{ofIntegration ? labels.fullOfIntegration : labels.full}</option>
          <option value="chosen">{labels.chosen}</option>
        </NativeSelect>
      )}
      {scopes !== null && (
        <fieldset className={classes.scopes}>
          <Input.Label component="legend">{labels.scopes}</Input.Label>
          <Input.Description>{within ? labels.scopesNarrowMore : labels.scopesMore}</Input.Description>
          <ul>
            {(within ?? ALL_SCOPES).map((scope) => (
              <li key={scope}>
                <Checkbox
                  label={<code>{scope}</code>}
                  description={labels.scope[scope]}
                  checked={scopes.includes(scope)}
                  onChange={(event) => toggle(scope, event.currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <TextInput
        label={labels.networks}
        description={needsNetworks ? labels.networksNeeded : labels.networksMore}
        required={needsNetworks}
        spellCheck={false}
        autoCapitalize="off"
        value={networks}
        onChange={(event) => onChange({ ...values, networks: event.currentTarget.value })}
      />
    </>
  );
}
