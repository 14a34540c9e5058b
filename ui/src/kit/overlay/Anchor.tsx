import { use, useDeferredValue, useImperativeHandle, useLayoutEffect, type Ref } from "react";
import { OpenerContext } from "./Opener";

interface Props {
  id?: string;
  ref?: Ref<HTMLElement | null>;
}

/** Stands for the button of kit/overlay/Opener, as the target of a popover; its text names the popover. */
export function Anchor({ id, ref }: Props) {
  const { button } = use(OpenerContext);
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button.current, [button]);
  useLayoutEffect(() => {
    if (id) button.current?.setAttribute("id", id);
  }, [button, id]);
  return null;
}

/** The state of a popover at an anchor. It opens after it is mounted, and so knows what had the focus before. */
export function useOpenerState() {
  const { isOpen, onChange } = use(OpenerContext);
  const isMounted = useDeferredValue(isOpen, false);
  return { opened: isOpen && isMounted, onChange, returnFocus: true };
}
