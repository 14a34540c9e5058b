import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { changeEach, refusedOf } from "./changeEach";

test("a refused change doesn't stop the others, and says why", async () => {
  const seen: number[] = [];
  const outcomes = await changeEach(
    ["a", "b", "c"],
    (item) =>
      item === "b"
        ? Promise.reject(new ApiError(409, "last_super_admin", "An organization needs at least one super_admin"))
        : Promise.resolve(item.toUpperCase()),
    (done) => seen.push(done),
  );
  expect(outcomes.map(({ result }) => result)).toEqual(["A", undefined, "C"]);
  expect(refusedOf(outcomes)).toEqual([{ item: "b", reason: "An organization needs at least one super_admin" }]);
  expect(seen).toEqual([0, 1, 2]);
});
