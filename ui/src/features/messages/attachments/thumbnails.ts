import type { Schemas } from "@/api/client";

type Attachment = Schemas["Attachment"];

const MAX = { width: 360, height: 240 };

/** Pictures have a size, and so a small picture of them. */
export const isPicture = (one: Attachment): boolean => one.width !== null && one.height !== null;

export const contentOf = (one: Attachment): string => `/v2/attachments/${one.attachment_id}/content`;
export const thumbnailOf = (one: Attachment): string => `/v2/attachments/${one.attachment_id}/thumbnail`;

/** How large a picture is shown in a list, known before it is there so that nothing moves when it comes. */
export function thumbnailSize(one: Pick<Attachment, "width" | "height">): { width: number; height: number } {
  const width = one.width || 1;
  const height = one.height || 1;
  const scale = Math.min(MAX.width / width, MAX.height / height, 1);
  return { width: Math.max(Math.round(width * scale), 24), height: Math.max(Math.round(height * scale), 24) };
}
