import { PasswordInput } from "@mantine/core";
import { texts } from "@/texts";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function NewPasswordField({ label, value, onChange }: Props) {
  return (
    <PasswordInput
      label={label}
      description={texts.sessions.passwordHint}
      autoComplete="new-password"
      minLength={12}
      maxLength={200}
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ "aria-label": texts.sessions.showPassword, tabIndex: 0 }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
