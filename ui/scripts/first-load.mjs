// What a browser loads before the first room is shown, gzipped: the early requests' script, the entry, and all that the
// entry imports. It has to stay under 255 KB.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MAX_BYTES = 255 * 1024;
const built = new URL("../../src/atrium/server/ui/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", built)));

const files = new Set();
const visit = (key) => {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not part of the build`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const imported of chunk.imports ?? []) visit(imported);
};
visit("index.html");
visit("src/early.ts");
const size = [...files].reduce(
  (sum, file) => sum + gzipSync(readFileSync(new URL(file, built)), { level: 9 }).length,
  0,
);
console.log(
  `first load: ${(size / 1024).toFixed(1)} KB gzipped in ${files.size} files (at most ${MAX_BYTES / 1024})`,
);
if (size > MAX_BYTES) process.exit(1);
