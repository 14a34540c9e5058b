import { Component, type ReactNode } from "react";
import classes from "./Markdown.module.css";

interface Props {
  text: string;
  children: ReactNode;
}

/** Show the text as typed if rendering it fails. */
export class PlainIfBroken extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <Plain text={this.props.text} /> : this.props.children;
  }
}

/** A text as typed. */
export function Plain({ text }: { text: string }) {
  return (
    <p dir="auto" className={classes.plain}>
      {text}
    </p>
  );
}
