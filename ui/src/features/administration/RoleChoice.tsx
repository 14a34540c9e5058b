import { Button, Menu, NativeSelect } from "@mantine/core";
import { Check, ChevronDown } from "lucide-react";
import { administration } from "@/texts/administration";

interface Props<Name extends string> {
  label: string;
  roles: readonly Name[];
  /** The names of roles that differ here from the usual names. */
  names?: Partial<Record<Name, string>>;
  value: Name;
  disabled?: boolean;
  onChange: (role: Name) => void;
}

const known: Record<string, string> = administration.roles;

const nameIn = <Name extends string>({ names }: Props<Name>, role: Name) =>
  names?.[role] ?? known[role] ?? role;

/** A menu that changes a role. Unlike a select, it does not change with the arrow keys. */
export function RoleMenu<Name extends string>(props: Props<Name>) {
  const { label, roles, value, disabled, onChange } = props;
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          fw={500}
          c="var(--mantine-color-text)"
          disabled={disabled}
          rightSection={<ChevronDown size={14} aria-hidden />}
          aria-label={`${label}: ${nameIn(props, value)}`}
        >
          {nameIn(props, value)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {roles.map((role) => (
          <Menu.Item
            key={role}
            aria-current={role === value || undefined}
            rightSection={role === value ? <Check size={15} aria-hidden /> : null}
            onClick={() => role !== value && onChange(role)}
          >
            {nameIn(props, role)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface SelectProps<Name extends string> extends Props<Name> {
  description?: string;
  /** Whether only screen readers get the label. */
  isBare?: boolean;
}

export function RoleSelect<Name extends string>(props: SelectProps<Name>) {
  const { label, description, isBare, roles, value, disabled, onChange } = props;
  const shown = roles.includes(value) ? roles : [...roles, value];
  return (
    <NativeSelect
      size={isBare ? "xs" : "sm"}
      label={isBare ? undefined : label}
      description={description}
      aria-label={isBare ? label : undefined}
      data={shown.map((role) => ({ value: role, label: nameIn(props, role) }))}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as Name)}
    />
  );
}
