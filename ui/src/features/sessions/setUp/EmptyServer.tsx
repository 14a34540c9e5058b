import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { setUp } from "@/texts/setUp";
import { setUpState } from "./queries";

/** Shown while the server has no organization: explains how to set it up. */
export function EmptyServer() {
  const { data } = useQuery(setUpState);
  if (!data?.needed) return null;
  return (
    <Alert color="iris" mb="lg" role="status" title={setUp.empty}>
      {setUp.emptyMore}
    </Alert>
  );
}
