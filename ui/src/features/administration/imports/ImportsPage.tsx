import { useInfiniteQuery } from "@tanstack/react-query";
import { Import as ImportIcon } from "lucide-react";
import { useStore } from "@/kit/data/store";
import { EmptyState } from "@/kit/layout/EmptyState";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { Rows, Row } from "@/kit/layout/Rows";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { administration } from "@/texts/administration";
import { imports as labels } from "@/texts/imports";
import { AdministrationPage } from "../AdministrationPage";
import { StatusTag } from "../StatusTag";
import { hasRole, useOrganization } from "../useOrganization";
import { ImportForm } from "./ImportForm";
import { UploadProgress } from "./ImportProgress";
import { ImportRow } from "./ImportRow";
import { importsOf, isWorkedOn, type Import } from "./queries";
import { uploading, type Uploading } from "./uploading";

/** Upload of Slack exports, and the imports of the organization. */
export function ImportsPage() {
  const { organizationId, role } = useOrganization();
  const imports = useInfiniteQuery({
    ...importsOf(organizationId),
    enabled: hasRole(role, "super_admin"),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.imports.some(isWorkedOn)) ? 1000 : false,
  });
  const current = useStore(uploading);
  const own = current?.organizationId === organizationId ? current : null;
  return (
    <AdministrationPage {...administration.pages.imports} needs="super_admin">
      <ImportForm isBusy={current !== null} />
      <InfiniteList of={imports}>
        {(pages) => <ImportList own={own} imports={pages.flatMap((each) => each.imports)} />}
      </InfiniteList>
    </AdministrationPage>
  );
}

function ImportList({ own, imports }: { own: Uploading | null; imports: Import[] }) {
  const others = imports.filter((each) => !own || each.status !== "uploading" || each.name !== own.name);
  if (!own && others.length === 0)
    return (
      <EmptyState icon={<ImportIcon size={22} aria-hidden />} title={labels.none}>
        {labels.noneMore}
      </EmptyState>
    );
  return (
    <Rows label={labels.list}>
      {own && <UploadRow one={own} />}
      {others.map((each) => (
        <ImportRow key={each.import_id} one={each} />
      ))}
    </Rows>
  );
}

/** The upload of this page. */
function UploadRow({ one }: { one: Uploading }) {
  return (
    <Row
      title={<bdi>{one.name}</bdi>}
      mark={
        <span role="status">
          <StatusTag tone="quiet">{labels.states.uploading}</StatusTag>
        </span>
      }
      more={<UploadProgress name={one.name} sent={one.sent} size={one.size} />}
    >
      <ConfirmButton
        question={labels.cancelQuestion}
        action={labels.cancel}
        isDangerous
        onConfirm={() => one.end.abort()}
      />
    </Row>
  );
}
