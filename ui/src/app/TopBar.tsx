import { ActionIcon, Kbd } from "@mantine/core";
import { CircleHelp, Search } from "lucide-react";
import { shownSearch } from "@/features/search/shownSearch";
import { quickSwitcher } from "@/features/search/switcher/QuickSwitcher";
import { shortcutsDialog } from "@/features/shortcuts/Shortcuts";
import { ariaKeys, keyNames } from "@/kit/input/keys";
import { SHORTCUTS } from "@/kit/input/shortcuts";
import { useStore } from "@/kit/data/store";
import { texts } from "@/texts";
import classes from "./TopBar.module.css";

const [KEYS] = SHORTCUTS.search.keys;

/** The search field at the top of wide windows; it opens the quick switcher. */
export function TopBar({ organization }: { organization: string }) {
  const search = useStore(shownSearch);
  return (
    <div className={classes.bar}>
      <button
        type="button"
        className={classes.search}
        aria-keyshortcuts={ariaKeys(KEYS)}
        onClick={() => quickSwitcher.set(true)}
      >
        <Search size={15} aria-hidden />
        <span>{search || texts.app.searchIn(organization)}</span>
        <Kbd size="xs" aria-hidden>
          {keyNames(KEYS).join(" ")}
        </Kbd>
      </button>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={texts.app.shortcuts}
        title={texts.app.shortcuts}
        onClick={() => shortcutsDialog.set(true)}
      >
        <CircleHelp size={18} />
      </ActionIcon>
    </div>
  );
}
