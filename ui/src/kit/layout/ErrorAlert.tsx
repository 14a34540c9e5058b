import { Alert } from "@mantine/core";
import { messageOf } from "@/api/errors";

/** Why something failed, if it did. */
export function ErrorAlert({ error }: { error: unknown }) {
  return error ? <Alert color="red">{messageOf(error)}</Alert> : null;
}
