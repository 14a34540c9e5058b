import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "@/api/queryClient";
import { Notice } from "@/kit/Notice";
import { nonce } from "./nonce";
import { router } from "./router";
import "./signOut";
import { cssVariables, theme } from "./theme";

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notice />
      </QueryClientProvider>
    </MantineProvider>
  );
}
