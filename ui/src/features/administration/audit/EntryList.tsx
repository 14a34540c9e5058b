import { ScrollText } from "lucide-react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { Rows } from "@/kit/layout/Rows";
import { administration } from "@/texts/administration";
import { EntryRow } from "./EntryRow";
import type { AuditFilters } from "./filters";
import type { Entry } from "./queries";

interface Props {
  entries: Entry[];
  /** Shown if there are no entries. */
  nothing?: string;
  onChoose: (filters: AuditFilters) => void;
}

const labels = administration.audit;

export function EntryList({ entries, nothing = labels.none, onChoose }: Props) {
  if (entries.length === 0) return <EmptyState icon={<ScrollText size={22} aria-hidden />} title={nothing} />;
  return (
    <Rows label={labels.entries}>
      {entries.map((each) => (
        <EntryRow key={each.entry_id} entry={each} onChoose={onChoose} />
      ))}
    </Rows>
  );
}
