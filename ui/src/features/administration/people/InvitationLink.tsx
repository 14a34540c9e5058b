import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import classes from "@/kit/SecretAlert.module.css";
import { signInMethods } from "@/model/signIn/queries";
import { administration } from "@/texts/administration";
import { SharedLink } from "./SharedLink";

interface Props {
  email: string;
  token: string;
  onDone: () => void;
}

const labels = administration.people;

/** The link of an invitation, shown once to share it. */
export function InvitationLink({ email, token, onDone }: Props) {
  const { data } = useQuery(signInMethods);
  return (
    <Alert color="green" mb="md" title={labels.invited(email)} role="alert">
      {data && <p className={classes.more}>{data.mail_server ? labels.invitedMore : labels.invitedStored}</p>}
      <SharedLink link={`${location.origin}/sign-in#invitation=${token}`} onDone={onDone} />
    </Alert>
  );
}
