/** Stores small values in the browser, or in memory where the browser stores nothing (private windows). */
const here = new Map<string, string>();

export function writeStorage(name: string, value: string): void {
  here.set(name, value);
  try {
    if (value) localStorage.setItem(`atrium.${name}`, value);
    else localStorage.removeItem(`atrium.${name}`);
  } catch {
    // without storage, the values last as long as the page
  }
}

export function readStorage(name: string): string {
  const found = here.get(name);
  if (found !== undefined) return found;
  try {
    return localStorage.getItem(`atrium.${name}`) ?? "";
  } catch {
    return "";
  }
}
