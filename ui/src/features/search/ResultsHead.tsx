import { NativeSelect } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { search as texts } from "@/texts/search";
import type { Order } from "./queries";
import classes from "./ResultsHead.module.css";

interface Props {
  /** Shown while nothing is searched for. */
  hint: string | null;
  /** The first page of results; only it has their number. */
  page: Pick<Schemas["SearchResultList"], "count" | "capped"> | undefined;
  hasFilters: boolean;
  order: Order;
  onOrder: (order: Order) => void;
}

const ORDERS: Order[] = ["best", "newest"];

/** The number of results and their order. Screen readers announce the number. */
export function ResultsHead({ hint, page, hasFilters, order, onOrder }: Props) {
  const nothing = hasFilters ? texts.nothingWithFilters : texts.nothing;
  const count = page?.count ?? 0;
  return (
    <div className={classes.head}>
      <p role="status" className={classes.status}>
        {hint ?? (page && (count === 0 ? nothing : texts.count(count, page.capped)))}
      </p>
      {count > 1 && (
        <NativeSelect
          size="xs"
          aria-label={texts.order}
          value={order}
          onChange={(event) => onOrder(event.currentTarget.value as Order)}
          data={ORDERS.map((value) => ({ value, label: texts.orders[value] }))}
        />
      )}
    </div>
  );
}
