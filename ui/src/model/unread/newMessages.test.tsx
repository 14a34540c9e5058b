import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it } from "vitest";
import { queryClient } from "@/api/queryClient";
import { unreadKey } from "@/model/queryKeys";
import type { Unread } from "./counts";
import { useNewMessages, useNewReplies } from "./useNewMessages";

const key = unreadKey("acme");
const known: Unread = {
  rooms: [
    {
      room_id: "general",
      space_id: "space",
      unread_count: 2,
      capped: false,
      mention_count: 0,
      last_read_message_id: null,
      first_unread_message_id: "first",
      last_message_id: "last",
    },
  ],
  threads: [],
};

function Firsts() {
  const firsts = [
    useNewMessages("acme", "general").first,
    useNewMessages("acme", "plans").first,
    useNewReplies("acme", "plans", "root"),
  ];
  return firsts.map(String).join();
}

const firsts = (): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Firsts />
    </QueryClientProvider>,
  );

/** Count again; the answer comes when the test gives it. */
function count(): { fail: () => void } {
  let fail: (error: Error) => void = () => undefined;
  const answer = new Promise<Unread>((_, reject) => (fail = reject));
  queryClient.fetchQuery({ queryKey: key, queryFn: () => answer, staleTime: 0 }).catch(() => undefined);
  return { fail: () => fail(new Error("no answer")) };
}

beforeEach(() => queryClient.clear());

it("the first new message is unknown until messages are counted", () => {
  count();
  expect(firsts()).toBe("undefined,undefined,undefined");
});

it("while messages are counted that have arrived, a place without unread ones may have some", () => {
  queryClient.setQueryData(key, known);
  expect(firsts()).toBe("first,null,null");
  count();
  queryClient.setQueryData(key, known); // another room is read meanwhile
  expect(firsts()).toBe("first,undefined,undefined");
});

it("counts of more than a minute ago are known", () => {
  queryClient.setQueryData(key, known, { updatedAt: Date.now() - 3_600_000 });
  expect(firsts()).toBe("first,null,null");
});

it("a count that fails keeps nothing from being shown", async () => {
  queryClient.setQueryData(key, known);
  count().fail();
  await expect.poll(firsts).toBe("first,null,null");
});
