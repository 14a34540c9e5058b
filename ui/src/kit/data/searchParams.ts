/** Keep the given search parameters that are strings. */
export function textParams<Name extends string>(...names: Name[]) {
  return (given: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.filter((each) => given[each]).map((each) => [each, String(given[each])]),
    ) as Partial<Record<Name, string>>;
}
