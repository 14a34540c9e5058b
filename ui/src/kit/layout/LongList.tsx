import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { texts } from "@/texts";

interface Props<T> {
  of: T[];
  /** How many to show first. */
  first?: number;
  children: (shown: T[]) => ReactNode;
}

const STEP = 200;

/** Render the first items of a long list, and a button that shows more of them. */
export function LongList<T>({ of, first = 50, children }: Props<T>) {
  const [length, setLength] = useState(first);
  return (
    <>
      {children(of.slice(0, length))}
      {of.length > length && <MoreButton onClick={() => setLength(length + STEP)} />}
    </>
  );
}

/** Shows more of a list. */
export function MoreButton({ isLoading, onClick }: { isLoading?: boolean; onClick: () => void }) {
  return (
    <Button mt="sm" variant="default" loading={isLoading ?? false} onClick={onClick}>
      {texts.app.more}
    </Button>
  );
}
