export const notifications = {
  part: {
    title: "Notifications",
    hint: "Desktop notifications while Atrium is in the background.",
  },
  label: "Notify me about",
  levels: {
    all: "All messages",
    mentions: "Mentions",
    off: "Nothing",
  },
  blocked:
    "Your browser blocks notifications. Allow them for this site in the browser's settings, then try again.",
  missing: "This browser doesn't support desktop notifications.",
  test: "Send test notification",
  testTitle: "Notifications work",
  testBody: "You'll see new messages like this.",
  title: (who: string, room: string) => `${who} in ${room}`,
  someone: "Someone",
  aRoom: "a room",
  file: (name: string) => `Sent ${name}`,
};
