import { SegmentedControl, Text, TextInput } from "@mantine/core";
import { administration } from "@/texts/administration";
import type { SpaceCreate } from "./queries";

export type SpaceFormValues = Required<SpaceCreate>;

interface Props {
  wanted: SpaceFormValues;
  onChange: (wanted: SpaceFormValues) => void;
}

const labels = administration.spaces;
const VISIBILITIES = ["open", "private"] as const;

/** The fields of a space: name, description and visibility. */
export function SpaceFields({ wanted, onChange }: Props) {
  return (
    <>
      <TextInput
        label={labels.name}
        required
        maxLength={200}
        value={wanted.name}
        onChange={(event) => onChange({ ...wanted, name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={labels.description}
        maxLength={2000}
        value={wanted.description}
        onChange={(event) => onChange({ ...wanted, description: event.currentTarget.value })}
      />
      <div>
        <SegmentedControl
          fullWidth
          aria-label={labels.visibility}
          value={wanted.visibility}
          onChange={(value) => onChange({ ...wanted, visibility: value as SpaceFormValues["visibility"] })}
          data={VISIBILITIES.map((value) => ({ value, label: labels.visibilities[value].name }))}
        />
        <Text size="sm" c="dimmed" mt={6}>
          {labels.visibilities[wanted.visibility].hint}
        </Text>
      </div>
    </>
  );
}
