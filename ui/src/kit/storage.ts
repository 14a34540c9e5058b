/** Small things that this browser keeps; where it keeps nothing (private windows), they last as long as the page. */
const here = new Map<string, string>();

export function writeStorage(name: string, value: string): void {
  here.set(name, value);
  try {
    if (value) localStorage.setItem(`atrium.${name}`, value);
    else localStorage.removeItem(`atrium.${name}`);
  } catch {
    // a full or forbidden storage costs the memory beyond this page, nothing else
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
