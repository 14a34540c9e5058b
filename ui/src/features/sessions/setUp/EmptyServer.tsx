import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { setUp } from "@/texts/setUp";
import { setUpState } from "./queries";

/** Explains how to set up a server without an organization, to which nobody can sign in; otherwise shows its content. */
export function EmptyServer({ children }: { children: ReactNode }) {
  const { data } = useQuery(setUpState);
  if (!data?.needed) return children;
  return (
    <Alert color="iris" role="status" title={setUp.empty}>
      {setUp.emptyMore}
    </Alert>
  );
}
