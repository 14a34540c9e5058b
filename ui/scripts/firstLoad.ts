import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import type { Plugin } from "vite";

const STYLES = /\s*<link rel="stylesheet"[^>]*>/;
const PRELOAD_HELPER = /vite\/preload-helper\.js$/;
const APPENDED = "document.head.appendChild(link)";
const COMPRESSED = /\.(js|css|svg)$/;

const compressed = promisify(brotliCompress);

async function compress(file: string): Promise<void> {
  await writeFile(`${file}.br`, await compressed(await readFile(file)));
}

/**
 * Make the first load fast on slow networks. `src/early.ts` is the page's first script. A skeleton is painted before the
 * styles load; the style links stay before the root, because the theme's own styles have to come after them. Those of
 * code that loads later come between the two: where rules are equally specific, the last one applies. Each file has a
 * Brotli-compressed copy.
 */
export function firstLoad(): Plugin {
  return {
    name: "atrium-first-load",
    apply: "build",
    transform: {
      filter: { id: PRELOAD_HELPER },
      handler(code) {
        if (!code.includes(APPENDED))
          throw new Error("Vite adds the styles of code that loads later in another way");
        return code.replace(APPENDED, 'document.getElementById("root").before(link)');
      },
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const early = Object.keys(bundle ?? {}).find((file) => file.startsWith("assets/early-"));
        const styles = STYLES.exec(html)?.[0];
        if (!early || !styles) throw new Error("the page has no early script or no styles");
        return html
          .replace(STYLES, "")
          .replace("<title>", `<script type="module" src="/${early}"></script>\n    <title>`)
          .replace('<div id="root">', `${styles.trim()}\n    <div id="root">`);
      },
    },
    async writeBundle({ dir = "" }, bundle) {
      const names = Object.keys(bundle).filter((each) => COMPRESSED.test(each));
      await Promise.all(names.map((each) => compress(join(dir, each))));
    },
  };
}
