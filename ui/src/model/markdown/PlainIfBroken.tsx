import { Component, type ReactNode } from "react";
import classes from "./Markdown.module.css";

interface Props {
  text: string;
  children: ReactNode;
}

/** Around what is drawn of a text: where that fails, the text stands there as it was typed, and all else stays. */
export class PlainIfBroken extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <Plain text={this.props.text} /> : this.props.children;
  }
}

/** A text as it was typed. */
export function Plain({ text }: { text: string }) {
  return <p className={classes.plain}>{text}</p>;
}
