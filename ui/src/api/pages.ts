interface Page {
  next_cursor: string | null;
}

/** Read all pages of a list. */
export async function allPages<P extends Page, T>(
  read: (cursor: string | undefined) => Promise<P>,
  entries: (page: P) => T[],
): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    found.push(...entries(page));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return found;
}
