import { Button } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/layout/Loading";
import { texts } from "@/texts";
import classes from "./InboxList.module.css";

interface Props {
  found: {
    isLoading: boolean;
    isSuccess: boolean;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  label: string;
  /** What an empty list shows. */
  empty: ReactNode;
  children: ReactElement[] | undefined;
}

/** A list that loads page by page. */
export function InboxList({ found, label, empty, children }: Props) {
  return (
    <div className={classes.scroller}>
      <div className={classes.column}>
        {found.error !== null && <p role="alert">{messageOf(found.error)}</p>}
        {found.isLoading && <Loading />}
        {found.isSuccess && children?.length === 0 && empty}
        <ol className={classes.list} aria-label={label}>
          {children}
        </ol>
        {found.hasNextPage && (
          <Button
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {texts.app.more}
          </Button>
        )}
      </div>
    </div>
  );
}
