import { useUncontrolled } from "@mantine/hooks";
import {
  cloneElement,
  createContext,
  Suspense,
  useRef,
  useState,
  type ComponentPropsWithRef,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from "react";

/** A button and whether what it opens is open; for kit/overlay/Anchor. */
interface OpenerState {
  button: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
}

export const OpenerContext = createContext<OpenerState>({
  button: { current: null },
  isOpen: false,
  onChange: () => undefined,
});

interface Props {
  /** Whether it is open, if the caller keeps that. */
  isOpen?: boolean;
  onChange?: (isOpen: boolean) => void;
  opens: "menu" | "dialog";
  /** Loads the code of what opens: when the pointer or the focus comes to the button, so that it opens immediately. */
  load: () => Promise<unknown>;
  button: ReactElement<ComponentPropsWithRef<"button">>;
  /** What opens. It stays mounted from the first time on. */
  children: ReactNode;
}

/** A button that is shown immediately, while the code of what it opens is not loaded. */
export function Opener({ opens, load, button, children, ...state }: Props) {
  const [isOpen, onChange] = useUncontrolled({
    value: state.isOpen,
    onChange: state.onChange,
    finalValue: false,
  });
  const element = useRef<HTMLButtonElement>(null);
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  const preload = () => void load().catch(() => undefined); // a click reports it
  return (
    <>
      {cloneElement(button, {
        ref: element,
        "aria-haspopup": opens,
        "aria-expanded": isOpen,
        onClick: () => onChange(!isOpen),
        onPointerEnter: preload,
        onFocus: preload,
      })}
      <OpenerContext value={{ button: element, isOpen, onChange }}>
        <Suspense>{wasOpened && children}</Suspense>
      </OpenerContext>
    </>
  );
}
