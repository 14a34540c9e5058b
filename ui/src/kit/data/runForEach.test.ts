import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { runForEach, failuresOf } from "./runForEach";

test("a refused change doesn't stop the others, and says why", async () => {
  const seen: number[] = [];
  const outcomes = await runForEach(
    ["a", "b", "c"],
    (item) =>
      item === "b"
        ? Promise.reject(
            new ApiError(409, "last_super_admin", "An organization needs at least one super_admin"),
          )
        : Promise.resolve(item.toUpperCase()),
    (done) => seen.push(done),
  );
  expect(outcomes.map(({ result }) => result)).toEqual(["A", undefined, "C"]);
  expect(failuresOf(outcomes)).toEqual([
    { item: "b", reason: "An organization needs at least one super_admin" },
  ]);
  expect(seen).toEqual([0, 1, 2]);
});
