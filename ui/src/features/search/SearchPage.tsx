import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Search as SearchIcon } from "lucide-react";
import { use, useEffect, useState, type KeyboardEvent } from "react";
import { NativeSelect, Button, TextInput } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { Page } from "@/kit/layout/Page";
import { MenuContext, SearchContext } from "@/kit/layout/PageHeader";
import { setTitle } from "@/kit/layout/title";
import { search as labels } from "@/texts/search";
import { queryOf, searchOf, type Search, withFilter, withoutFilter, type Filter } from "./filters/filters";
import { useShownValues } from "./filters/shown";
import { searchFor, type Order } from "./queries";
import classes from "./SearchPage.module.css";
import { SearchResultLink, TranscriptResultLink } from "./SearchResultLink";
import { shownSearch } from "./shownSearch";
import { AddFilter } from "./filters/AddFilter";
import { FilterChips } from "./filters/FilterChips";

/** Searches messages and transcripts in all rooms that the reader can access. */
export function SearchPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId/search" });
  const { q = "", order: requested } = useSearch({ from: "/signed-in/o/$organizationId/search" });
  const order: Order = requested === "newest" ? "newest" : "best";
  const navigate = useNavigate({ from: "/o/$organizationId/search" });
  const found = useInfiniteQuery({ ...searchFor(organizationId, q, order), enabled: q !== "" });
  const isNarrow = use(MenuContext) !== null;
  const search = searchOf(q);
  useShown(organizationId, search);
  return (
    <SearchContext value={null}>
      <Page icon={!isNarrow && <SearchIcon size={17} aria-hidden />} title={labels.title}>
        <SearchForm
          key={q}
          organizationId={organizationId}
          search={search}
          onSearch={(next) => void navigate({ search: { q: queryOf(next), order: requested } })}
        />
        <ResultsHead
          hint={q === "" ? labels.hint : null}
          page={found.data?.pages[0]}
          hasFilters={search.filters.length > 0}
          order={order}
          onOrder={(next) => void navigate({ search: { q, order: next === "best" ? undefined : next } })}
        />
        <InfiniteList of={found}>
          {(pages) => (
            <ol className={classes.results} aria-label={labels.results}>
              {pages
                .flatMap((each) => each.results)
                .map((result) => (
                  <li
                    key={
                      result.type === "message" ? result.message_id : `${result.recording_id} ${result.start}`
                    }
                  >
                    {result.type === "message" ? (
                      <SearchResultLink organizationId={organizationId} result={result} />
                    ) : (
                      <TranscriptResultLink organizationId={organizationId} result={result} />
                    )}
                  </li>
                ))}
            </ol>
          )}
        </InfiniteList>
      </Page>
    </SearchContext>
  );
}

/** Name the search in the title of the tab and in the search field at the top. */
function useShown(organizationId: string, { words, filters }: Search): void {
  const values = useShownValues(organizationId, filters);
  const chips = filters.map(({ name }, index) => labels.chip(labels.names[name], values[index] ?? ""));
  const shown = [words, ...chips].filter(Boolean).join(" · ");
  useEffect(() => {
    setTitle(shown || labels.title);
    shownSearch.set(shown);
    return () => shownSearch.set("");
  }, [shown]);
}

interface Props {
  /** Shown while nothing is searched for. */
  hint: string | null;
  /** The first page of results; only it has their number. */
  page: Pick<Schemas["SearchResultList"], "count" | "capped"> | undefined;
  hasFilters: boolean;
  order: Order;
  onOrder: (order: Order) => void;
}

const ORDERS: Order[] = ["best", "newest"];

/** The number of results and their order. Screen readers announce the number. */
function ResultsHead({ hint, page, hasFilters, order, onOrder }: Props) {
  const nothing = hasFilters ? labels.nothingWithFilters : labels.nothing;
  const count = page?.count ?? 0;
  return (
    <div className={classes.head}>
      <p role="status" className={classes.status}>
        {hint ?? (page && (count === 0 ? nothing : labels.count(count, page.capped)))}
      </p>
      {count > 1 && (
        <NativeSelect
          size="xs"
          aria-label={labels.order}
          value={order}
          onChange={(event) => onOrder(event.currentTarget.value as Order)}
          data={ORDERS.map((value) => ({ value, label: labels.orders[value] }))}
        />
      )}
    </div>
  );
}

interface SearchFormProps {
  organizationId: string;
  search: Search;
  onSearch: (search: Search) => void;
}

/** The words and filters of a search. A filter takes effect when it is added or removed, words when Enter is pressed. */
function SearchForm({ organizationId, search, onSearch }: SearchFormProps) {
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
          aria-label={labels.words}
          placeholder={labels.words}
          leftSection={<SearchIcon size={16} aria-hidden />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={removeLast}
          autoFocus={matchMedia("(hover: hover)").matches}
        />
        <Button type="submit">{labels.go}</Button>
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
