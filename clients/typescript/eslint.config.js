import { common } from "../../ui/eslint.config.js";

export default [{ ignores: ["build", "dist", "src/schema.ts"] }, ...common];
