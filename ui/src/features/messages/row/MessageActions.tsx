import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useImperativeHandle, useState, type Ref } from "react";
import { ignoreRevealingClick } from "@/kit/input/presses";
import { useTouch } from "@/kit/input/touch";
import type { Message } from "@/model/messages/history";
import { useRoomContext } from "@/model/messages/roomContext";
import { texts } from "@/texts";
import { EmojiMenu } from "../emoji/EmojiMenu";
import { pressedBy } from "../keyboard/useMessageShortcuts";
import { deleteMessage } from "./changes";
import classes from "./MessageActions.module.css";
import { actionsOf, react, type MessageAction, type Panel } from "./messageActions";

const ConfirmDialog = lazy(() =>
  import("@/kit/overlay/ConfirmDialog").then((m) => ({ default: m.ConfirmDialog })),
);
const MessageSheet = lazy(() => import("./MessageSheet").then((m) => ({ default: m.MessageSheet })));

export interface ActionsHandle {
  /** Show all actions as a sheet. */
  open: () => void;
}

interface Props {
  message: Message;
  ref?: Ref<ActionsHandle>;
}

/** The actions of a message, shown on hover and focus. On touch screens, a sheet has most of them. */
export function MessageActions({ message, ref }: Props) {
  const context = useRoomContext();
  const isTouch = useTouch();
  const [panel, setPanel] = useState<Panel | null>(null);
  const close = () => setPanel(null);
  const actions = actionsOf(message, context, setPanel);
  const inToolbar = actions.filter((each) => (isTouch ? isFrequent(each) : !each.isInSheet));
  const pick = (emoji: string) => react(message, emoji, context.personId);
  useImperativeHandle(ref, () => ({ open: () => setPanel("actions") }), []);
  return (
    <div
      className={classes.actions}
      data-open={panel === "emoji" || undefined}
      role="toolbar"
      aria-label={texts.messages.actions}
      onClickCapture={ignoreRevealingClick}
    >
      {inToolbar.map((each) =>
        each.name === "react" ? (
          <EmojiMenu
            key={each.name}
            isOpen={panel === "emoji"}
            onChange={(isOpen) => setPanel(isOpen ? "emoji" : null)}
            onPick={pick}
            position="top-end"
          >
            <ActionButton action={each} />
          </EmojiMenu>
        ) : (
          <ActionButton key={each.name} action={each} />
        ),
      )}
      {isTouch && (
        <button type="button" aria-label={texts.messages.more} onClick={() => setPanel("actions")}>
          <Ellipsis size={20} aria-hidden />
        </button>
      )}
      <Suspense>
        {panel === "actions" && (
          <MessageSheet
            actions={actions}
            onReact={context.canWrite ? pick : null}
            onClosed={() => setPanel((now) => (now === "actions" ? null : now))}
          />
        )}
        {panel === "delete" && (
          <ConfirmDialog
            title={texts.messages.deleteTitle}
            onConfirm={() => deleteMessage(message)}
            onClose={close}
          >
            {texts.messages.deleteHint}
          </ConfirmDialog>
        )}
      </Suspense>
    </div>
  );
}

const isFrequent = ({ name }: MessageAction): boolean => name === "react" || name === "reply";

interface ButtonProps extends React.ComponentPropsWithRef<"button"> {
  action: MessageAction;
}

function ActionButton({ action, ...button }: ButtonProps) {
  const { label, icon: Icon, shortcut, act } = action;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={act}
      {...(shortcut && pressedBy(shortcut))}
      {...button}
    >
      <Icon size={17} aria-hidden />
    </button>
  );
}
