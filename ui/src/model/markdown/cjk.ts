import { queryOptions, useQuery } from "@tanstack/react-query";
import { cjkKey } from "@/model/queryKeys";
import { hasUnspaced } from "./scripts";

/** Emphasis next to punctuation in scripts without spaces, as in "これは**「重要」**です": loaded when first needed. */
export const cjkEmphasis = queryOptions({
  queryKey: cjkKey(),
  staleTime: Infinity,
  gcTime: Infinity,
  structuralSharing: false,
  queryFn: () => import("./remarkCjk"),
});

/** Return the plugin that reads emphasis in scripts without spaces, if the text may have some, once it is loaded. */
export function useCjkEmphasis(text: string) {
  const { data } = useQuery({ ...cjkEmphasis, enabled: /[*_~]/.test(text) && hasUnspaced(text) });
  return data?.remarkCjk;
}
