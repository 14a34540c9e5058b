export const notifications = {
  part: {
    title: "Notifications",
    more: "What this browser tells you of while Atrium is open in it and you look elsewhere.",
  },
  label: "Notify me of",
  levels: {
    all: "Every message",
    mentions: "Mentions of me",
    off: "Nothing",
  },
  blocked:
    "This browser does not let Atrium notify you. Allow notifications for this site in the browser's settings, then choose again.",
  missing: "This browser has no desktop notifications.",
  test: "Show me one",
  testTitle: "Notifications work",
  testBody: "This is how Atrium tells you of a message.",
  title: (who: string, room: string) => `${who} in ${room}`,
  somebody: "Somebody",
  aRoom: "a room",
  file: (name: string) => `Sent ${name}`,
};
