import { forgetEarly } from "@/api/client";
import { onSignedOut, queryClient } from "@/api/queryClient";
import { forgetAttachments } from "@/features/messages/attachments/pendingAttachments";
import { forgetUploads } from "@/features/recordings/uploads";
import { forgetTimelines } from "@/model/messages/timelines";
import { forgetActors } from "@/model/people/names";
import { forgetFollowing } from "@/model/unread/participation";
import { forgetMarks } from "@/model/unread/markRead";
import { router } from "./router";

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
