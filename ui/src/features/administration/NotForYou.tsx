import { Alert } from "@mantine/core";
import { texts } from "@/texts";
import type { Role } from "./useOrganization";

/** For whoever opened a page by its address that the server does not answer him. */
export function NotForYou({ needs }: { needs: Role }) {
  return (
    <Alert color="gray" m="lg" title={texts.administration.notYours}>
      {texts.administration.needs(texts.administration.roles[needs])}
    </Alert>
  );
}
