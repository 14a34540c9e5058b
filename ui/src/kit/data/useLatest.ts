import { useLayoutEffect, useRef } from "react";

/** Return a reference to the latest value, for handlers that are attached once. */
export function useLatest<T>(value: T) {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
