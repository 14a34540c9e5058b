import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { queryClient } from "@/api/queryClient";
import { Notice } from "@/kit/overlay/Notice";
import { router } from "./router";
import "./signOut";
import { cssVariables, theme } from "./theme";

/** The nonce that the server put into this page; style sheets created at run time need it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

setNonce(nonce);

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
