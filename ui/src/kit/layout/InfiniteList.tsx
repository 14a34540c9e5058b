import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorAlert } from "./ErrorAlert";
import { Loading } from "./Loading";
import { MoreButton } from "./LongList";

interface Props<Page> {
  of: UseInfiniteQueryResult<InfiniteData<Page>>;
  children: (pages: Page[]) => ReactNode;
}

/** Render the loaded pages of a list, and a button that loads the next one. */
export function InfiniteList<Page>({ of, children }: Props<Page>) {
  return (
    <>
      <ErrorAlert error={of.error} />
      {of.isLoading && <Loading />}
      {of.data && children(of.data.pages)}
      {of.hasNextPage && (
        <MoreButton isLoading={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()} />
      )}
    </>
  );
}
