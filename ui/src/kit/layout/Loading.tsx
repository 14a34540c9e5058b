import { Center, Loader } from "@mantine/core";
import { texts } from "@/texts";

export function Loading() {
  return (
    <Center h="100%" w="100%" flex={1} mih={120} role="status" aria-label={texts.app.loading}>
      <Loader size="sm" type="dots" />
    </Center>
  );
}
