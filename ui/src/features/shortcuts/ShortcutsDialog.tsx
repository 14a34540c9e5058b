import { Kbd } from "@mantine/core";
import { Fragment } from "react";
import { Dialog } from "@/kit/overlay/Dialog";
import { keyNames } from "@/kit/input/keys";
import { SHORTCUT_NAMES, SHORTCUTS } from "@/kit/input/shortcuts";
import { shortcuts as texts } from "@/texts/shortcuts";
import classes from "./ShortcutsDialog.module.css";

const GROUPS = ["everywhere", "messages", "rooms", "composer", "deliveries"] as const;

/** All keyboard shortcuts, by where they work. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={texts.title} size={760}>
      <div className={classes.groups}>
        {GROUPS.map((group) => (
          <section key={group} aria-label={texts.groups[group]}>
            <h3>{texts.groups[group]}</h3>
            <dl>
              {SHORTCUT_NAMES.filter((name) => SHORTCUTS[name].group === group).map((name) => (
                <div key={name} className={classes.shortcut}>
                  <dt>{texts.names[name]}</dt>
                  <dd>
                    {SHORTCUTS[name].keys.map((keys, index) => (
                      <Fragment key={keys}>
                        {index > 0 && ` ${texts.or} `}
                        <Keys keys={keys} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keyNames(keys).map((each) => (
        <Kbd key={each}>{each}</Kbd>
      ))}
    </span>
  );
}
