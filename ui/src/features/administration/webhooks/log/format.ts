/** Indent JSON; return anything else unchanged. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Convert the local time of a field to the API's format. */
export function momentOf(local: string | undefined): string | undefined {
  const at = local ? new Date(local) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
