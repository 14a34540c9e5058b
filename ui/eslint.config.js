import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["build", "src/api/schema.ts"] },
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  { rules: { "max-lines": ["error", 300], eqeqeq: "error", "no-console": "error" } },
  { files: ["scripts/**"], rules: { "no-console": "off" } },
);
