import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect } from "react";
import { messageOf } from "@/api/errors";
import { Loading } from "@/kit/Loading";
import { PageHeader } from "@/kit/PageHeader";
import { setTitle } from "@/kit/title";
import { texts } from "@/texts";
import { filtersOf, queryOf } from "./filters";
import { searchFor } from "./queries";
import { SearchForm } from "./SearchForm";
import classes from "./SearchPage.module.css";
import { SearchResultLink } from "./SearchResultLink";
import { TranscriptResultLink } from "./TranscriptResultLink";

/** Searches messages and transcripts in all rooms that the reader can access. */
export function SearchPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId/search" });
  const { q = "" } = useSearch({ from: "/signed-in/o/$organizationId/search" });
  const navigate = useNavigate({ from: "/o/$organizationId/search" });
  const found = useInfiniteQuery({ ...searchFor(organizationId, q), enabled: q !== "" });
  useEffect(() => {
    setTitle(q || texts.search.title);
  }, [q]);
  const results = found.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <main className={classes.page}>
      <PageHeader icon={<Search size={17} aria-hidden />} title={texts.search.title} />
      <div className={classes.scroller}>
        <div className={classes.column}>
          <SearchForm
            key={q}
            organizationId={organizationId}
            filters={filtersOf(q)}
            onSearch={(filters) => void navigate({ search: { q: queryOf(filters) } })}
          />
          <p role="status" className={classes.status}>
            {found.isSuccess && results.length === 0 && texts.search.nothing}
            {q === "" && texts.search.hint}
          </p>
          {found.isError && <p role="alert">{messageOf(found.error)}</p>}
          {found.isLoading && <Loading />}
          <ol className={classes.results} aria-label={texts.search.results}>
            {results.map((result) => (
              <li key={result.type === "message" ? result.message_id : result.recording_id}>
                {result.type === "message" ? (
                  <SearchResultLink organizationId={organizationId} result={result} />
                ) : (
                  <TranscriptResultLink organizationId={organizationId} result={result} />
                )}
              </li>
            ))}
          </ol>
          {found.hasNextPage && (
            <Button
              variant="default"
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              {texts.app.more}
            </Button>
          )}
        </div>
      </div>
    </main>
  );
}
