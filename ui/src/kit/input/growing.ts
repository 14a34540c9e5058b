const isSizedByCss = globalThis.CSS?.supports?.("field-sizing", "content") ?? false;

/** Make a field as high as its text, in browsers whose CSS does not do it (`field-sizing`). It forces a layout. */
export function grow(field: HTMLTextAreaElement | null): void {
  if (!field || isSizedByCss) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
