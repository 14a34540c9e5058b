import { Drawer, Popover } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { openCard } from "@/model/people/card";
import { useActor } from "@/model/people/names";
import { profiles } from "@/texts/profiles";
import { CardContent } from "./CardContent";
import classes from "./ProfileCard.module.css";

interface Props {
  organizationId: string;
  actorId: string;
  anchor: HTMLElement;
}

/** A person or an integration: next to the name that opened it, or at the bottom of a narrow window. */
export function ProfileCard({ anchor, ...actor }: Props) {
  const isNarrow = useMediaQuery("(max-width: 599px)", false, { getInitialValueInEffect: false });
  const label = profiles.of(useActor(actor.organizationId, actor.actorId)?.name ?? "");
  const close = () => {
    openCard.set(null);
    if (anchor.isConnected) anchor.focus({ preventScroll: true });
  };
  if (isNarrow) {
    return (
      <Drawer
        opened
        onClose={close}
        position="bottom"
        size="auto"
        returnFocus={false}
        withCloseButton={false}
        title={label}
        classNames={{ content: classes.sheet, header: classes.spoken }}
      >
        <CardContent {...actor} />
      </Drawer>
    );
  }
  const { left, top, width, height } = anchor.getBoundingClientRect();
  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && close()}
      position="right-start"
      middlewares={{
        flip: { fallbackPlacements: ["bottom-start", "left-start", "top-start"] },
        shift: { padding: 12 },
      }}
      width={320}
      shadow="lg"
      radius={14}
      trapFocus
    >
      <Popover.Target>
        <span className={classes.anchor} style={{ left, top, width, height }} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown className={classes.card} aria-label={label} aria-labelledby={undefined}>
        <CardContent {...actor} />
      </Popover.Dropdown>
    </Popover>
  );
}
