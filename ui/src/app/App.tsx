import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { forgetEarly } from "@/api/client";
import { queryClient, onSignedOut } from "@/api/queryClient";
import { forgetAttachments } from "@/features/messages/attachments/pendingAttachments";
import { forgetUploads } from "@/features/recordings/uploads";
import { Notice } from "@/kit/overlay/Notice";
import { forgetTimelines } from "@/model/messages/timelines";
import { forgetActors } from "@/model/people/names";
import { forgetMarks } from "@/model/unread/markRead";
import { forgetFollowing } from "@/model/unread/participation";
import { router } from "./router";
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

/** Remove all data of an ended session from this page. */
onSignedOut(() => {
  const { href, pathname } = router.state.location;
  if (pathname === "/sign-in") return;
  forgetEarly();
  forgetTimelines();
  forgetActors();
  forgetMarks();
  forgetFollowing();
  forgetAttachments();
  forgetUploads();
  queryClient.clear();
  void router.navigate({ to: "/sign-in", search: pathname === "/" ? {} : { return_to: href } });
});
