import type { Schemas } from "@/api/client";

type Attachment = Schemas["Attachment"];

const MAX = { width: 360, height: 240 };

/** Only pictures have a width, a height and a thumbnail. */
export const isPicture = (one: Attachment): boolean => one.width !== null && one.height !== null;

export const contentOf = (one: Attachment): string => `/v2/attachments/${one.attachment_id}/content`;
export const thumbnailOf = (one: Attachment): string => `/v2/attachments/${one.attachment_id}/thumbnail`;

/** Return the size of a picture in a list, known before it loads so that nothing moves. */
export function thumbnailSize(one: Pick<Attachment, "width" | "height">): { width: number; height: number } {
  const width = one.width || 1;
  const height = one.height || 1;
  const scale = Math.min(MAX.width / width, MAX.height / height, 1);
  return { width: Math.max(Math.round(width * scale), 24), height: Math.max(Math.round(height * scale), 24) };
}
