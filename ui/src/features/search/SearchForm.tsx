import { Button, TextInput } from "@mantine/core";
import { Search as SearchIcon } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { search as texts } from "@/texts/search";
import { AddFilter } from "./filters/AddFilter";
import { FilterChips } from "./filters/FilterChips";
import { withFilter, withoutFilter, type Filter, type Search } from "./filters/filters";
import classes from "./SearchPage.module.css";

interface Props {
  organizationId: string;
  search: Search;
  onSearch: (search: Search) => void;
}

/** The words and filters of a search. A filter takes effect when it is added or removed, words when Enter is pressed. */
export function SearchForm({ organizationId, search, onSearch }: Props) {
  const [words, setWords] = useState(search.words);
  const current = { ...search, words };
  const remove = (filter: Filter) => onSearch(withoutFilter(current, filter));
  const removeLast = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const last = search.filters.at(-1);
    if (event.key !== "Backspace" || selectionStart !== 0 || selectionEnd !== 0 || !last) return;
    event.preventDefault(); // the field is another one by then
    remove(last);
  };
  return (
    <div role="search">
      <form
        className={classes.line}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(current);
        }}
      >
        <TextInput
          className={classes.words}
          type="search"
          aria-label={texts.words}
          placeholder={texts.words}
          leftSection={<SearchIcon size={16} aria-hidden />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={removeLast}
          autoFocus={matchMedia("(hover: hover)").matches}
        />
        <Button type="submit">{texts.go}</Button>
      </form>
      <FilterChips organizationId={organizationId} filters={search.filters} onRemove={remove} />
      <div className={classes.add}>
        <AddFilter
          organizationId={organizationId}
          onAdd={(filter) => onSearch(withFilter(current, filter))}
        />
      </div>
    </div>
  );
}
