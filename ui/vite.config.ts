import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { firstLoad } from "./scripts/firstLoad.ts";

const SERVER = process.env.ATRIUM_URL ?? "http://127.0.0.1:8700";

// The server puts a fresh nonce in place of this word each time it hands the page out.
const NONCE = "{nonce}";

export default defineConfig({
  plugins: [react(), firstLoad()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  html: { cspNonce: NONCE },
  build: {
    outDir: "../src/atrium/server/ui",
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900, // KB: the emoji, loaded when first needed
    rolldownOptions: {
      input: { index: "index.html", early: "src/early.ts" },
      output: {
        // What the first room needs is one file, because each request costs a slow network more than its bytes.
        codeSplitting: {
          groups: [{ name: "first", tags: ["$initial"], test: (id) => !/\/(early|outline)\.ts$/.test(id) }],
        },
      },
    },
  },
  worker: { format: "es" }, // loads the grammar of each language when it is needed
  server: { proxy: { "/v1": SERVER, "/v2": SERVER, "/docs": SERVER, "/openapi.json": SERVER } },
  test: { environment: "node", include: ["src/**/*.test.{ts,tsx}"] },
});
