import { TextInput, type TextInputProps } from "@mantine/core";
import { Search } from "lucide-react";

interface Props extends Omit<TextInputProps, "label" | "value" | "onChange"> {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** A field that finds something in a list. */
export function SearchField({ label, onChange, ...props }: Props) {
  return (
    <TextInput
      type="search"
      size="xs"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} aria-hidden />}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
