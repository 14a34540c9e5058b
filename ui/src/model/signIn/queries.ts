import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { unwrap } from "@/api/errors";
import { signInMethodsKey } from "@/model/queryKeys";

/** The ways to sign in to this server, and whether it sends email. */
export const signInMethods = queryOptions({
  queryKey: signInMethodsKey(),
  queryFn: () => unwrap(api.GET("/v1/sign-in/methods")),
  staleTime: Infinity,
});
