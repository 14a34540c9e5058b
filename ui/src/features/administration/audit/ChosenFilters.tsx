import { Button, Group } from "@mantine/core";
import { X } from "lucide-react";
import { administration } from "@/texts/administration";
import type { AuditFilters } from "./filters";

interface Props {
  filters: AuditFilters;
  onChoose: (filters: AuditFilters) => void;
}

const labels = administration.audit;

/** The filters that have no field in the form, and a button that clears all filters. */
export function ChosenFilters({ filters, onChoose }: Props) {
  if (Object.keys(filters).length === 0) return null;
  return (
    <Group gap="xs" mb="sm" role="status">
      {filters.target && <span>{labels.onlyTarget}</span>}
      {filters.key && <span>{labels.onlyKey}</span>}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<X size={14} aria-hidden />}
        onClick={() => onChoose({})}
      >
        {labels.showAll}
      </Button>
    </Group>
  );
}
