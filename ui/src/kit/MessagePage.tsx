import { Center, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A page with a single message. */
export function MessagePage({ title, children, action }: Props) {
  return (
    <Center component="main" h="100%" p="lg">
      <Stack gap="sm" align="center" maw={460} ta="center">
        <Title order={1} size="h2">
          {title}
        </Title>
        {children && <Text c="dimmed">{children}</Text>}
        {action}
      </Stack>
    </Center>
  );
}
