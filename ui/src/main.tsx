import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./app/styles";
import "@/kit/input/composition";
import { App } from "./app/App";
import { readFirstRoom } from "./app/firstRoom";
import { fitAboveKeyboard } from "./app/keyboard";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no place for the application");
fitAboveKeyboard();
removeOutline(root);
void readFirstRoom().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/** Remove the outline of `index.html` when there is a page. */
function removeOutline(root: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (!root.querySelector("main")) return;
    document.getElementById("outline")?.remove();
    observer.disconnect();
  });
  observer.observe(root, { childList: true, subtree: true });
}
