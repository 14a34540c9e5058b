export const attachments = {
  failed: (why: string) => `Couldn't upload: ${why}`,
  attach: "Attach files",
  drop: "Drop files to attach them",
  tooMany: (most: number) => `You can attach up to ${most} files to a message.`,
  remove: (name: string) => `Remove ${name}`,
  tryAgain: (name: string) => `Retry ${name}`,
  uploading: (percent: number) => `${percent}%`,
  waiting: "Files are still uploading",
  download: "Download",
  enlarge: (name: string) => `View ${name}`,
  attached: "Attached files",
};
