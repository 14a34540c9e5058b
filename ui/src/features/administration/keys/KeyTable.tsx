import { VisuallyHidden } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { managedKeys as labels } from "@/texts/managedKeys";
import { ORDERS, type Order, type Sort } from "./filter";
import classes from "./KeyTable.module.css";

interface Props {
  label: string;
  sort?: Sort;
  /** Absent for a list that is not sorted by the reader. */
  onSort?: (by: Order) => void;
  /** A `KeyRow` for each key. */
  children: ReactNode;
}

const COLUMNS = ["name", "access", "used", "ends", "created"] as const;

/** A table of keys, whose headings sort it. In a narrow place each key is a card. */
export function KeyTable({ label, sort, onSort, children }: Props) {
  return (
    <div className={classes.place}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {COLUMNS.map((column) => {
              const order = ORDERS.find((each) => each === column);
              return order && sort && onSort ? (
                <SortHeading key={column} by={order} sort={sort} onSort={onSort} />
              ) : (
                <th key={column} scope="col">
                  {labels.columns[column]}
                </th>
              );
            })}
            <th scope="col">
              <VisuallyHidden>{labels.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The heading of a column, which sorts the table by it. */
function SortHeading({ by, sort, onSort }: { by: Order; sort: Sort; onSort: (by: Order) => void }) {
  const isChosen = sort.by === by;
  const direction = sort.isDescending ? "descending" : "ascending";
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={isChosen ? direction : "none"}>
      <button type="button" onClick={() => onSort(by)}>
        {labels.columns[by]}
        <Arrow size={13} aria-hidden data-chosen={isChosen || undefined} />
      </button>
    </th>
  );
}
