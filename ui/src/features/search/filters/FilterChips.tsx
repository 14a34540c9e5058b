import { X } from "lucide-react";
import { search as texts } from "@/texts/search";
import classes from "./FilterChips.module.css";
import type { Filter } from "./filters";
import { useShownValues } from "./shown";

interface Props {
  organizationId: string;
  filters: Filter[];
  onRemove: (filter: Filter) => void;
}

/** The filters of a search, each with a button that removes it. */
export function FilterChips({ organizationId, filters, onRemove }: Props) {
  const values = useShownValues(organizationId, filters);
  if (filters.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={texts.filters}>
      {filters.map((each, index) => (
        <Chip
          key={`${each.name}:${each.value}`}
          label={texts.chip(texts.names[each.name], values[index] ?? "")}
          onRemove={() => onRemove(each)}
        />
      ))}
    </ul>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <li className={classes.chip}>
      <bdi>{label}</bdi>
      <button type="button" aria-label={texts.remove(label)} title={texts.remove(label)} onClick={onRemove}>
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}
