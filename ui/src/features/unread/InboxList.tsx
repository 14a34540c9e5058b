import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import classes from "./InboxList.module.css";

interface Props<Page> {
  of: UseInfiniteQueryResult<InfiniteData<Page>>;
  label: string;
  /** What an empty list shows. */
  empty: ReactNode;
  children: (pages: Page[]) => ReactElement[];
}

/** A list of mentions or threads. */
export function InboxList<Page>({ of, label, empty, children }: Props<Page>) {
  return (
    <InfiniteList of={of}>
      {(pages) => {
        const items = children(pages);
        if (items.length === 0) return empty;
        return (
          <ol className={classes.list} aria-label={label}>
            {items}
          </ol>
        );
      }}
    </InfiniteList>
  );
}
