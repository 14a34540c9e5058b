import { Alert } from "@mantine/core";
import { administration } from "@/texts/administration";
import type { Role } from "./useOrganization";

/** For whoever opened a page by its address that the server does not answer him. */
export function NotForYou({ needs }: { needs: Role }) {
  return (
    <Alert color="gray" m="lg" title={administration.notYours}>
      {administration.needs(administration.roles[needs])}
    </Alert>
  );
}
