import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import { useEffect } from "react";
import { PersonalKeys } from "@/features/keys/PersonalKeys";
import { NotificationsForm } from "@/features/notifications/NotificationsForm";
import { AppearanceForm } from "@/features/people/AppearanceForm";
import { PendingMemberships } from "@/features/people/PendingMemberships";
import { ProfileForm } from "@/features/people/ProfileForm";
import { PasswordForm } from "@/features/sessions/PasswordForm";
import { SessionList } from "@/features/sessions/SessionList";
import { Page } from "@/kit/layout/Page";
import { setTitle } from "@/kit/layout/title";
import { pendingMemberships } from "@/model/people/queries";
import { texts } from "@/texts";
import { pendingMemberships as pendingTexts } from "@/texts/pendingMemberships";
import classes from "./SettingsPage.module.css";

const PARTS = [
  { id: "profile", Part: ProfileForm },
  { id: "theme", Part: AppearanceForm },
  { id: "notifications", Part: NotificationsForm },
  { id: "keys", Part: PersonalKeys },
  { id: "sessions", Part: SessionList },
  { id: "password", Part: PasswordForm },
] as const;
const PENDING = { id: "pending", Part: PendingMemberships } as const;

const LABELS = { ...texts.settings.parts, pending: pendingTexts.part };

/** A person's settings: name, theme, notifications, keys, sessions, password; first, what waits for their answer. */
export function SettingsPage() {
  useParams({ from: "/signed-in/o/$organizationId/settings" });
  const waiting = useQuery(pendingMemberships).data?.length;
  useEffect(() => {
    setTitle(texts.settings.title);
  }, []);
  return (
    <Page icon={<Settings size={17} aria-hidden />} title={texts.settings.title}>
      {[...(waiting ? [PENDING] : []), ...PARTS].map(({ id, Part }) => (
        <section key={id} aria-labelledby={`settings-${id}`} className={classes.part}>
          <h2 id={`settings-${id}`}>{LABELS[id].title}</h2>
          <p className={classes.hint}>{LABELS[id].hint}</p>
          <Part />
        </section>
      ))}
    </Page>
  );
}
