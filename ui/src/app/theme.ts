import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { texts } from "@/texts";

const iris: MantineColorsTuple = [
  "#eef0fd",
  "#dcdff9",
  "#b9bff2",
  "#949dec",
  "#7782e6",
  "#5f6ce0",
  "#4d5bdb",
  "#3d4bc4",
  "#3340a8",
  "#28338a",
];

/** The grays of fields and buttons in dark mode, in the hue of the backgrounds below. */
const dark: MantineColorsTuple = [
  "#e3e5ea",
  "#c3c6ce",
  "#9aa0ad",
  "#747a87",
  "#3d404a",
  "#2f323b",
  "#22242b",
  "#16171b",
  "#121317",
  "#0d0e11",
];

// The close button of a dialog is an icon, so screen readers need a label.
const closable = { closeButtonProps: { "aria-label": texts.app.close } };

export const theme = createTheme({
  primaryColor: "iris",
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { iris, dark },
  defaultRadius: "md",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: "650" },
  focusRing: "auto",
  cursorType: "pointer",
  // By name, so that the components themselves load only when they are used.
  components: {
    Badge: { defaultProps: { tt: "none", fw: 600 } },
    // Names and descriptions run in the direction of what is typed.
    TextInput: { defaultProps: { dir: "auto" } },
    Textarea: { defaultProps: { dir: "auto" } },
    Modal: { defaultProps: closable },
    Drawer: { defaultProps: closable },
    // A menu contains nothing focusable except its items. The overlay shows on touch screens only (touch.css).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withOverlay: true } },
  },
});

/** Mantine's reds in ours: of errors, and of what deletes or revokes. */
const reds = {
  "--mantine-color-error": "var(--at-danger)",
  "--mantine-color-red-text": "var(--at-danger)",
  "--mantine-color-red-outline": "var(--at-danger)",
  "--mantine-color-red-6": "var(--at-danger)", // items of menus
  "--mantine-color-red-light-color": "var(--at-danger)",
  "--mantine-color-red-filled": "#b42318",
  "--mantine-color-red-filled-hover": "#9a1d14",
};

/** Our own colors: backgrounds, lines and texts, with the contrast that WCAG AA requires. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...reds,
    "--mantine-color-text": "#1b1d23",
    "--mantine-color-dimmed": "#5c6370",
    "--mantine-color-placeholder": "#6b7280",
    "--mantine-color-body": "#ffffff",
    "--at-ground": "#ffffff",
    "--at-side": "#f6f6f9",
    "--at-raised": "#ffffff",
    "--at-hover": "#f3f4f8",
    "--at-line": "#e4e5ec",
    "--at-mark": "#fff6d6",
    "--at-accent-soft": "#e9ebfc",
    "--at-accent-text": "#3340a8",
    "--at-danger": "#b42318",
    "--at-unread": "#b3261e",
    "--at-code-keyword": "#b3202c",
    "--at-code-title": "#7437c4",
    "--at-code-constant": "#0550ae",
    "--at-code-string": "#0a4a75",
    "--at-code-builtin": "#953800",
    "--at-code-comment": "#5f6773",
    "--at-code-tag": "#116329",
    "--at-code-addition-soft": "#dafbe1",
    "--at-code-deletion-soft": "#ffebe9",
  },
  dark: {
    ...reds,
    "--mantine-color-dimmed": "#9aa0ad",
    "--mantine-color-placeholder": "#8b919e",
    "--mantine-color-body": "#16171b",
    "--mantine-color-text": "#e3e5ea",
    "--at-ground": "#16171b",
    "--at-side": "#101114",
    "--at-raised": "#1e2026",
    "--at-hover": "#1f2127",
    "--at-line": "#2b2d35",
    "--at-mark": "#3b3314",
    "--at-accent-soft": "#272c52",
    "--at-accent-text": "#b9bff2",
    "--at-danger": "#ff9d92",
    "--at-unread": "#ff9d92",
    "--at-code-keyword": "#ff8b83",
    "--at-code-title": "#d2a8ff",
    "--at-code-constant": "#79c0ff",
    "--at-code-string": "#a5d6ff",
    "--at-code-builtin": "#ffa657",
    "--at-code-comment": "#9198a1",
    "--at-code-tag": "#7ee787",
    "--at-code-addition-soft": "#0d3520",
    "--at-code-deletion-soft": "#4a1a1d",
  },
});
