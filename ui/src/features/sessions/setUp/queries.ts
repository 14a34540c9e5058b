import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { unwrapSignIn } from "../actions";

export const setUpState = queryOptions({
  queryKey: ["set-up"],
  queryFn: () => unwrap(api.GET("/v1/set-up")),
});

export const setUp = (content: Schemas["SetUp"]) =>
  unwrapSignIn(api.POST("/v1/set-up", { body: { content } }));
