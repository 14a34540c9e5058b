import { expect, it } from "vitest";
import { headersOf } from "./headers";

it("headers are read line by line", () => {
  expect(headersOf("X-Team: mill\n\n Authorization : Bearer a:b ")).toEqual({
    "X-Team": "mill",
    Authorization: "Bearer a:b",
  });
  expect(headersOf("")).toEqual({});
  expect(headersOf("no header")).toBeNull();
});
