/** Return the link in an email, which is on a line of its own. */
export const linkIn = (text: string | null): string | undefined => text?.match(/^https?:\/\/\S+$/m)?.[0];
