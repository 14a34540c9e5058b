import { Button, Menu } from "@mantine/core";
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

/** A menu that changes a role. Unlike a select, it does not change with the arrow keys. */
export function RoleMenu<Name extends string>(props: Props<Name>) {
  const { label, roles, names, value, disabled, onChange } = props;
  const nameOf = (role: Name) => names?.[role] ?? known[role] ?? role;
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
          aria-label={`${label}: ${nameOf(value)}`}
        >
          {nameOf(value)}
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
            {nameOf(role)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
