import { NativeSelect } from "@mantine/core";
import { administration } from "@/texts/administration";

interface Props<Name extends string> {
  label: string;
  description?: string;
  /** Whether only screen readers get the label. */
  isBare?: boolean;
  roles: readonly Name[];
  /** The names of roles that differ here from the usual names. */
  names?: Partial<Record<Name, string>>;
  value: Name;
  disabled?: boolean;
  onChange: (role: Name) => void;
}

const known: Record<string, string> = administration.roles;

export function RoleSelect<Name extends string>(props: Props<Name>) {
  const { label, description, isBare, roles, names, value, disabled, onChange } = props;
  const shown = roles.includes(value) ? roles : [...roles, value];
  return (
    <NativeSelect
      size={isBare ? "xs" : "sm"}
      label={isBare ? undefined : label}
      description={description}
      aria-label={isBare ? label : undefined}
      data={shown.map((role) => ({ value: role, label: names?.[role] ?? known[role] ?? role }))}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as Name)}
    />
  );
}
