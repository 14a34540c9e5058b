import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { keyFilterOf, keySearchOf, type KeyFilter, type KeySearch } from "./filter";

/** Return the filter of a list of keys, and a function that changes it in the URL. */
export function useKeyFilter(): [KeyFilter, (filter: KeyFilter) => void] {
  const search: KeySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  // Typing shows what is typed immediately, not only once the router has the URL.
  const [find, setFind] = useState(search.find ?? "");
  const change = (filter: KeyFilter) => {
    setFind(filter.find);
    void navigate({ to: ".", search: keySearchOf(filter), replace: true, resetScroll: false });
  };
  return [{ ...keyFilterOf(search), find }, change];
}
