import { lazy, Suspense, useEffect } from "react";
import { useStore } from "@/kit/data/store";
import { openCard } from "@/model/people/card";

const ProfileCard = lazy(() => import("./ProfileCard").then((m) => ({ default: m.ProfileCard })));

/** Shows the open profile card. It closes when the page changes. */
export function ProfileCards({ page }: { page: string }) {
  const card = useStore(openCard);
  useEffect(() => openCard.set(null), [page]);
  if (!card) return null;
  return (
    <Suspense>
      <ProfileCard key={card.actorId} {...card} />
    </Suspense>
  );
}
