import { Popover } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useFocusReturn } from "@/kit/overlay/focusReturn";
import { Sheet } from "@/kit/overlay/Sheet";
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
  const close = () => openCard.set(null);
  if (isNarrow) {
    return (
      <Sheet title={label} isTitleHidden onClosed={close}>
        {() => (
          <div className={classes.inSheet}>
            <CardContent {...actor} />
          </div>
        )}
      </Sheet>
    );
  }
  return <CardPopover {...actor} anchor={anchor} label={label} onClose={close} />;
}

interface PopoverProps extends Props {
  label: string;
  onClose: () => void;
}

function CardPopover({ anchor, label, onClose, ...actor }: PopoverProps) {
  const { ref } = useFocusReturn();
  const { left, top, width, height } = anchor.getBoundingClientRect();
  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && onClose()}
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
      <Popover.Dropdown ref={ref} className={classes.card} aria-label={label} aria-labelledby={undefined}>
        <CardContent {...actor} />
      </Popover.Dropdown>
    </Popover>
  );
}
