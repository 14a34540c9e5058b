import { Alert } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading } from "@/app/Loading";
import { messageOf } from "@/api/refusal";

interface Props<T> {
  of: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** What was asked of the server, once it has answered; meanwhile that it is on its way, else why it is not. */
export function Asked<T>({ of, children }: Props<T>) {
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <Alert color="red">{messageOf(of.error)}</Alert>;
  return <Loading />;
}
