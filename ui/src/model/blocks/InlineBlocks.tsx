import type { Message } from "@/model/messages/history";
import { BlockContent } from "./BlockContent";

interface Props {
  blocks: Message["blocks"];
  organizationId: string;
}

/** The blocks of a message. */
export function InlineBlocks({ blocks, organizationId }: Props) {
  return blocks.map((block, index) => (
    <BlockContent
      key={index}
      type={block.type}
      content={block.content ?? {}}
      organizationId={organizationId}
    />
  ));
}
