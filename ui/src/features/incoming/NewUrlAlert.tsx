import { SecretAlert } from "@/kit/overlay/SecretAlert";
import { incoming } from "@/texts/incoming";

const example = { copy: incoming.copyExample, copied: incoming.exampleCopied };

/** Return a curl command that posts to the webhook. The URL needs no quoting in a shell. */
const commandFor = (url: string) => `curl -d '{"text": "Hello"}' ${url}`;

/** The URL of a new incoming webhook of a room, shown once. */
export function NewUrlAlert({ roomId }: { roomId: string }) {
  return (
    <SecretAlert
      place={roomId}
      title={incoming.shown}
      hint={incoming.shownHint}
      labels={incoming}
      example={(url) => ({ hint: incoming.example, command: commandFor(url), labels: example })}
    />
  );
}
