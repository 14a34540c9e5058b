import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./app/styles";
import { App } from "./app/App";
import { fitAboveKeyboard } from "./app/keyboard";
import { cacheActors } from "./model/people/names";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no place for the application");
fitAboveKeyboard();
void window.early?.actors.then(cacheActors);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
