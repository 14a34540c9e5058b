import { Center, Loader } from "@mantine/core";
import { texts } from "@/texts";

export function Loading() {
  return (
    <Center h="100%" mih={120} role="status" aria-label={texts.app.loading}>
      <Loader size="sm" type="dots" />
    </Center>
  );
}
