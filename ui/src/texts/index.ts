export { en as texts } from "./en";
