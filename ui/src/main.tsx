import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./app/styles";
import { App } from "./app/App";
import { readFirstRoom } from "./app/firstRoom";
import { fitAboveKeyboard } from "./app/keyboard";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no place for the application");
fitAboveKeyboard();
void readFirstRoom().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
