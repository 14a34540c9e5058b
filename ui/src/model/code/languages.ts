/** A language of code blocks. */
export interface Language {
  /** Its name in highlight.js; null if it is not highlighted. */
  id: string | null;
  label: string;
}

/** The highlighted languages: the name that is shown, then the names after a fence other than the id. */
const LANGUAGES: Record<string, string[]> = {
  apache: ["Apache", "htaccess"],
  bash: ["Shell", "sh", "shell", "zsh", "console", "terminal", "shellsession"],
  c: ["C", "h"],
  clojure: ["Clojure", "clj", "edn"],
  cmake: ["CMake"],
  cpp: ["C++", "c++", "cc", "cxx", "hpp", "arduino"],
  csharp: ["C#", "cs", "c#"],
  css: ["CSS"],
  dart: ["Dart"],
  diff: ["Diff", "patch"],
  dockerfile: ["Dockerfile", "docker"],
  elixir: ["Elixir", "ex", "exs"],
  erlang: ["Erlang", "erl"],
  fsharp: ["F#", "fs", "f#"],
  go: ["Go", "golang"],
  graphql: ["GraphQL", "gql"],
  groovy: ["Groovy", "gradle"],
  haskell: ["Haskell", "hs"],
  http: ["HTTP"],
  ini: ["INI", "toml", "conf", "properties"],
  java: ["Java"],
  javascript: ["JavaScript", "js", "jsx", "mjs", "cjs", "node"],
  json: ["JSON", "jsonc", "json5", "jsonl"],
  julia: ["Julia", "jl"],
  kotlin: ["Kotlin", "kt", "kts"],
  latex: ["LaTeX", "tex"],
  less: ["Less"],
  lua: ["Lua"],
  makefile: ["Makefile", "make", "mk"],
  markdown: ["Markdown", "md"],
  matlab: ["MATLAB", "octave"],
  nginx: ["Nginx"],
  nix: ["Nix"],
  objectivec: ["Objective-C", "objc", "obj-c", "mm"],
  ocaml: ["OCaml", "ml"],
  perl: ["Perl", "pl"],
  php: ["PHP"],
  powershell: ["PowerShell", "ps1", "pwsh", "ps"],
  protobuf: ["Protocol Buffers", "proto"],
  python: ["Python", "py", "python3", "pycon", "py3"],
  r: ["R"],
  ruby: ["Ruby", "rb", "irb"],
  rust: ["Rust", "rs"],
  scala: ["Scala"],
  scss: ["SCSS", "sass"],
  sql: ["SQL", "pgsql", "psql", "postgres", "postgresql", "mysql", "sqlite", "plpgsql"],
  swift: ["Swift"],
  typescript: ["TypeScript", "ts", "tsx", "mts", "cts"],
  vim: ["Vim script", "viml"],
  xml: ["XML", "svg", "xhtml", "rss", "plist"],
  yaml: ["YAML", "yml"],
};

/** Languages that another one highlights under its own name. */
const RELATED: Record<string, Language> = {
  html: { id: "xml", label: "HTML" },
  htm: { id: "xml", label: "HTML" },
  vue: { id: "xml", label: "Vue" },
  svelte: { id: "xml", label: "Svelte" },
  toml: { id: "ini", label: "TOML" },
};

const PLAIN = ["", "text", "txt", "plain", "plaintext", "none"];
const MAX_LABEL = 24;

const byName = new Map<string, Language>([
  ...Object.entries(LANGUAGES).flatMap(([id, [label = id, ...names]]) =>
    [id, ...names].map((name): [string, Language] => [name, { id, label }]),
  ),
  ...Object.entries(RELATED),
]);

/** Return the language of the name after a fence; null for plain text. An unknown name is shown as typed. */
export function languageOf(name: string): Language | null {
  if (PLAIN.includes(name.toLowerCase())) return null;
  return byName.get(name.toLowerCase()) ?? { id: null, label: name.slice(0, MAX_LABEL) };
}

/** The ids of the highlighted languages. */
export const LANGUAGE_IDS = Object.keys(LANGUAGES);
