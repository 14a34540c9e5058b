import { count } from "./count";

export const unread = {
  new: "New",
  replies: (replies: number) => count(replies, "new reply", "new replies"),
  bar: "Unread messages",
  newMessages: (messages: string) => `${messages} new`,
  since: (when: string) => `since ${when}`,
  jump: "Jump to unread",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
  count: (messages: number, mentions: number) =>
    count(messages, "unread message", "unread messages") +
    (mentions > 0 ? `, ${count(mentions, "mention", "mentions")}` : ""),
};

/** The lists of threads and mentions. */
export const inbox = {
  label: "Inbox",
  threads: "Threads",
  mentions: "Mentions",
  newThreads: (threads: number) => count(threads, "thread with new replies", "threads with new replies"),
  newMentions: (mentions: number) => count(mentions, "new mention", "new mentions"),
  earlier: (replies: number) => count(replies, "earlier reply", "earlier replies"),
  noThreads: "No threads yet",
  noThreadsMore: "Threads you've replied to or were mentioned in appear here.",
  noMentions: "No mentions yet",
  noMentionsMore: "Messages that mention you appear here.",
};
