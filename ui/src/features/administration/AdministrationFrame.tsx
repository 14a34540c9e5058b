import { useMediaQuery } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import { Suspense } from "react";
import { Loading } from "@/kit/layout/Loading";
import { MessagePage } from "@/kit/layout/MessagePage";
import { PageHeader } from "@/kit/layout/PageHeader";
import { administration } from "@/texts/administration";
import classes from "./AdministrationFrame.module.css";
import { AdministrationMenu } from "./AdministrationMenu";
import { AdministrationNav } from "./AdministrationNav";
import { hasRole, useOrganization } from "./useOrganization";

const labels = administration;

/** The frame of the administration: a list of its pages and one page. */
export function AdministrationFrame() {
  const { role, name } = useOrganization();
  const isWide = useMediaQuery("(min-width: 1000px)", true, { getInitialValueInEffect: false });
  if (!hasRole(role, "reader"))
    return <MessagePage title={labels.adminsOnly}>{labels.adminsOnlyMore}</MessagePage>;
  return (
    <main className={classes.frame}>
      <PageHeader
        icon={<Settings size={17} aria-hidden />}
        title={isWide ? labels.title : labels.short}
        description={name}
      >
        {!isWide && <AdministrationMenu />}
      </PageHeader>
      <div className={classes.body}>
        {isWide && <AdministrationNav />}
        <div className={classes.scroller}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </div>
      </div>
    </main>
  );
}
