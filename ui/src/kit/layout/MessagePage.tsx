import { Center, Stack, Text, Title } from "@mantine/core";
import { use, type ReactNode } from "react";
import { MenuContext, PageHeader } from "./PageHeader";

interface Props {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A page with a single message. In a narrow window it keeps the bar, which leads to the rooms. */
export function MessagePage({ title, children, action }: Props) {
  const hasBar = use(MenuContext) !== null;
  return (
    <Stack component="main" h="100%" gap={0}>
      {hasBar && <PageHeader />}
      <Center flex={1} p="lg">
        <Stack gap="sm" align="center" maw={460} ta="center">
          <Title order={1} size="h2">
            {title}
          </Title>
          {children && <Text c="dimmed">{children}</Text>}
          {action}
        </Stack>
      </Center>
    </Stack>
  );
}
