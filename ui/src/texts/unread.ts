import { count } from "./count";

const andMentions = (mentions: number): string =>
  mentions > 0 ? `, ${count(mentions, "mention", "mentions")}` : "";

export const unread = {
  new: "New",
  replies: (replies: number) => count(replies, "new reply", "new replies"),
  newReplies: (replies: string) => `${replies} new`,
  bar: "Unread messages",
  newMessages: (messages: string) => `${messages} new`,
  since: (when: string) => `since ${when}`,
  jump: "Jump to unread",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
  markedRead: "Marked as read",
  undo: "Undo",
  count: (messages: number, mentions: number) =>
    count(messages, "unread message", "unread messages") + andMentions(mentions),
};

/** The lists of threads and mentions. */
export const inbox = {
  label: "Inbox",
  threads: "Threads",
  mentions: "Mentions",
  newThreads: (threads: number, mentions: number) =>
    count(threads, "thread with new replies", "threads with new replies") + andMentions(mentions),
  newMentions: (mentions: number) => count(mentions, "new mention", "new mentions"),
  earlier: (replies: number) => count(replies, "earlier reply", "earlier replies"),
  show: "Show",
  all: "All",
  unread: "Unread",
  markAllRead: "Mark all as read",
  reply: "Reply",
  noUnreadThreads: "Nothing unread",
  noUnreadThreadsHint: "New replies in your threads appear here.",
  noThreads: "No threads yet",
  noThreadsHint: "Threads you've replied to or were mentioned in appear here.",
  noMentions: "No mentions yet",
  noMentionsHint: "Messages that mention you appear here.",
};
