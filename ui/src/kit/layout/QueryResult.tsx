import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorAlert } from "./ErrorAlert";
import { Loading } from "./Loading";

interface Props<T> {
  of: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Render a query's data, a loading indicator or the error. */
export function QueryResult<T>({ of, children }: Props<T>) {
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <ErrorAlert error={of.error} />;
  return <Loading />;
}
