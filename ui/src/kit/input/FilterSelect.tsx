import { NativeSelect, type NativeSelectProps } from "@mantine/core";

interface Props<Value extends string> extends Omit<NativeSelectProps, "data" | "value" | "onChange"> {
  /** The name of the first option, which chooses nothing. */
  any: string;
  choices: readonly { value: Value; label: string }[];
  value: NoInfer<Value> | null | undefined;
  onChange: (value: Value | undefined) => void;
}

/** A select that narrows a list, or does not. */
export function FilterSelect<Value extends string>(props: Props<Value>) {
  const { any, choices, value, onChange, ...rest } = props;
  return (
    <NativeSelect
      size="xs"
      {...rest}
      value={value ?? ""}
      data={[{ value: "", label: any }, ...choices]}
      onChange={(event) => onChange(choices.find((each) => each.value === event.currentTarget.value)?.value)}
    />
  );
}
