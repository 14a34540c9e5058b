// Resolve the imports of src/ for eslint-plugin-boundaries, with "@/" for src/ as in vite.config.ts.
const { existsSync, statSync } = require("node:fs");
const { dirname, join, resolve } = require("node:path");

const SRC = resolve(__dirname, "../src");
const isFile = (path) => existsSync(path) && statSync(path).isFile();

exports.interfaceVersion = 2;
exports.resolve = (source, file) => {
  const base = source.startsWith("@/") ? join(SRC, source.slice(2)) : resolve(dirname(file), source);
  const path = ["", ".ts", ".tsx", "/index.ts"].map((end) => base + end).find(isFile);
  return path ? { found: true, path } : { found: false };
};
