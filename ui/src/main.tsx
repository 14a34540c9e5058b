import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./app/styles";
import { App } from "./app/App";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no place for the application");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
