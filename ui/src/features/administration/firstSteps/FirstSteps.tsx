import { Button } from "@mantine/core";
import { useQuery, queryOptions } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import { useId, useState } from "react";
import { api } from "@/api/client";
import { unwrap } from "@/api/errors";
import { readStorage, writeStorage } from "@/kit/data/storage";
import { administration } from "@/texts/administration";
import { hasRole, useOrganization } from "../useOrganization";
import classes from "./FirstSteps.module.css";
import { StepAction } from "./StepAction";
import { doneSteps, STEPS, type Step } from "./steps";

const labels = administration.firstSteps;

/** Return whether this browser shows notifications: by its permission and the setting of the settings page. */
const isNotified = (): boolean =>
  typeof Notification !== "undefined" &&
  Notification.permission === "granted" &&
  ["all", "mentions"].includes(readStorage("notifications"));

interface Props {
  /** Where rooms can be created: asks for the name of a new one. */
  onNewRoom?: () => void;
}

/** A checklist for admins of a new organization, until everything is done or it is hidden. */
export function FirstSteps({ onNewRoom }: Props) {
  const { organizationId, role } = useOrganization();
  const title = useId();
  const hidden = `first-steps.${organizationId}`;
  const [isHidden, setHidden] = useState(() => readStorage(hidden) !== "");
  const isShown = hasRole(role, "admin") && !isHidden;
  const { data: facts } = useQuery({ ...firstStepsOf(organizationId), enabled: isShown });
  if (!isShown || !facts) return null;
  const done = doneSteps(facts, isNotified());
  if (done.size === STEPS.length) return null;
  const hide = () => {
    writeStorage(hidden, "hidden");
    setHidden(true);
  };
  return (
    <section className={classes.card} aria-labelledby={title}>
      <div className={classes.head}>
        <h3 id={title}>{labels.title}</h3>
        <span className={classes.progress}>{labels.progress(done.size, STEPS.length)}</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={hide}>
          {labels.hide}
        </Button>
      </div>
      <ul className={classes.steps}>
        {STEPS.map((each) => (
          <StepItem key={each} step={each} isDone={done.has(each)} onNewRoom={onNewRoom} />
        ))}
      </ul>
    </section>
  );
}

function StepItem({ step, isDone, onNewRoom }: Props & { step: Step; isDone: boolean }) {
  const { title, hint } = labels.steps[step];
  return (
    <li data-done={isDone || undefined}>
      {isDone ? <CircleCheck size={19} aria-hidden /> : <Circle size={19} aria-hidden />}
      <div className={classes.about}>
        <p className={classes.title}>
          {title}
          {isDone && <span className={classes.state}> · {labels.done}</span>}
        </p>
        {!isDone && <p>{hint}</p>}
      </div>
      {!isDone && <StepAction step={step} onNewRoom={onNewRoom} />}
    </li>
  );
}

const firstStepsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "first-steps"],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET("/v1/organizations/{organization_id}/first-steps", {
          params: { path: { organization_id: organizationId } },
        }),
      ),
  });
