import { Alert, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { setUp } from "@/texts/setUp";
import { setUpState } from "./queries";

/** Explains how to set up a server without an organization, to which nobody can sign in; otherwise shows its content. */
export function EmptyServer({ children }: { children: ReactNode }) {
  const { data } = useQuery(setUpState);
  if (!data?.needed) return children;
  return (
    <Stack>
      <Title order={1} size="h3">
        {setUp.empty}
      </Title>
      <Alert color="iris" role="status">
        {setUp.emptyHint}
      </Alert>
    </Stack>
  );
}
