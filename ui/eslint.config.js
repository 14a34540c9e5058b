import boundaries from "eslint-plugin-boundaries";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The layers from the top down: each imports only those below it, and one feature never another. */
const LAYERS = ["app", "feature", "model", "kit", "api", "texts"];

const layers = {
  files: ["src/*/**"],
  plugins: { boundaries },
  settings: {
    "import/resolver": { [`${import.meta.dirname}/scripts/eslint-resolver.cjs`]: {} },
    "boundaries/dependency-nodes": ["import", "dynamic-import", "export"],
    "boundaries/elements": [
      { type: "feature", pattern: "src/features/*" },
      ...["app", "model", "kit", "api", "texts"].map((type) => ({ type, pattern: `src/${type}` })),
    ],
  },
  rules: {
    "boundaries/no-unknown-files": "error",
    "boundaries/dependencies": [
      "error",
      {
        default: "disallow",
        policies: LAYERS.map((type, at) => ({
          from: { element: { type } },
          allow: { to: { element: { types: { anyOf: LAYERS.slice(at + 1) } } } },
        })),
      },
    ],
  },
};

const setters = {
  selector:
    "VariableDeclarator[init.callee.name='useState'] > ArrayPattern > Identifier:nth-child(2):not([name=/^set[A-Z]/])",
  message: "Name the setter after its state: [open, setOpen].",
};

/** A dialog of Mantine that is mounted open does not give the focus back when it closes. */
const dialogs = {
  files: ["src/**"],
  ignores: ["src/kit/overlay/Dialog.tsx", "src/kit/overlay/Sheet.tsx", "src/app/NarrowMenu.tsx"],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        name: "@mantine/core",
        importNames: ["Modal", "Drawer"],
        message: "Use kit/overlay/Dialog or Sheet, which give the focus back.",
      },
    ],
  },
};

/** The rules of all our TypeScript, also of `clients/typescript`. */
export const common = tseslint.config(...tseslint.configs.strict, {
  rules: { "max-lines": ["error", 300], eqeqeq: "error", "no-console": "error" },
});

export default tseslint.config(
  { ignores: ["build", "src/api/schema.ts"] },
  ...common,
  reactHooks.configs.flat.recommended,
  { rules: { "no-restricted-syntax": ["error", setters] } },
  layers,
  dialogs,
  { files: ["scripts/**"], rules: { "no-console": "off", "@typescript-eslint/no-require-imports": "off" } },
);
