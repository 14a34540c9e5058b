import { useEffect, useRef, useState, type ComponentProps } from "react";

interface Props extends ComponentProps<"div"> {
  as?: "div" | "pre";
  label: string;
}

/** Content that scrolls where it is too large. Then it is a tab stop, so that the keyboard can scroll it. */
export function Scrollable({ as = "div", label, ...rest }: Props) {
  const Tag = as as "div";
  const place = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const here = place.current;
    if (!here) return;
    const measure = () =>
      setCut(here.scrollWidth > here.clientWidth || here.scrollHeight > here.clientHeight);
    const sizes = new ResizeObserver(measure); // also now, once the page has its layout anyway
    sizes.observe(here);
    return () => sizes.disconnect();
  }, []);
  const focusable = isCut ? { tabIndex: 0, role: "group", "aria-label": label } : {};
  return <Tag ref={place} {...focusable} {...rest} />;
}
