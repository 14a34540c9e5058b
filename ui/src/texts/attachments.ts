export const attachments = {
  failed: (why: string) => `Not uploaded: ${why}`,
  attach: "Attach files",
  drop: "Drop files to attach them",
  tooMany: (most: number) => `A message takes ${most} files at most.`,
  remove: (name: string) => `Remove ${name}`,
  tryAgain: (name: string) => `Try ${name} again`,
  uploading: (percent: number) => `${percent} %`,
  waiting: "Files are still on their way",
  download: "Download",
  enlarge: (name: string) => `Show ${name} large`,
  attached: "Attached files",
};
