import { TextInput } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { isExpired, lastDay } from "@/kit/expiry";
import { texts } from "@/texts";
import { limitsOf, maxDaysOf, type KeyRules, type LimitValues } from "./limits";

interface Props {
  label?: string;
  known?: Pick<Schemas["ApiKey"], "expires_at">;
  rules: KeyRules[];
  limits: LimitValues;
  /** A date; empty for a key that does not expire. */
  value: string;
  onChange: (value: string) => void;
}

const labels = texts.apiKeys;

/** When a key expires, within its rules. A key that has expired gets another date only by a rotation. */
export function ExpiryField({ label = labels.expiry, known, rules, limits, value, onChange }: Props) {
  const maxDays = maxDaysOf(rules, limitsOf(limits));
  if (known && isExpired(known, new Date())) return null;
  return (
    <TextInput
      type="date"
      label={label}
      description={maxDays === null ? labels.expiryMore : labels.expiryWithin(maxDays)}
      required={!known && maxDays !== null}
      max={known ? undefined : lastDay(new Date(), maxDays)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
