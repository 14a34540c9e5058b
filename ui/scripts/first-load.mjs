// What a browser loads before the first room is shown, gzipped: the entry, all that it imports, and the same of the frame
// and of a room. It has to stay under 300 KB.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MOST = 300 * 1024;
const FIRST = ["index.html", "src/app/Shell.tsx", "src/app/RoomPage.tsx"];
const built = new URL("../../src/atrium/server/ui/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", built)));

const files = new Set();
const visit = (key) => {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const imported of chunk.imports ?? []) visit(imported);
};
for (const key of FIRST) {
  if (!manifest[key]) throw new Error(`${key} is not part of the build`);
  visit(key);
}
const size = [...files].reduce(
  (sum, file) => sum + gzipSync(readFileSync(new URL(file, built)), { level: 9 }).length,
  0,
);
console.log(
  `first load: ${(size / 1024).toFixed(1)} KB gzipped in ${files.size} files (at most ${MOST / 1024})`,
);
if (size > MOST) process.exit(1);
