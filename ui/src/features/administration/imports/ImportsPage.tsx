import { useInfiniteQuery } from "@tanstack/react-query";
import { Import as ImportIcon, Upload } from "lucide-react";
import { Anchor, Button, FileButton, NativeSelect } from "@mantine/core";
import { useRef, useState } from "react";
import { useStore } from "@/kit/data/store";
import { EmptyState } from "@/kit/layout/EmptyState";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { Rows, Row } from "@/kit/layout/Rows";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { showNotice } from "@/kit/overlay/notices";
import { useSpaces } from "@/model/spaces/queries";
import { imports as labels } from "@/texts/imports";
import { AdministrationPage } from "../AdministrationPage";
import { StatusTag } from "../StatusTag";
import { hasRole, useOrganization } from "../useOrganization";
import { UploadProgress } from "./ImportProgress";
import { ImportRow } from "./ImportRow";
import classes from "./Imports.module.css";
import { importsOf, isWorkedOn, type Import } from "./queries";
import { uploading, type Uploading, isZip, uploadExport } from "./uploading";

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
    <AdministrationPage page="imports">
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
        {labels.noneHint}
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
      details={<UploadProgress name={one.name} sent={one.sent} size={one.size} />}
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

/** The choice of a space and of an export, which is then uploaded. */
function ImportForm({ isBusy }: { isBusy: boolean }) {
  const { organizationId } = useOrganization();
  const { data: spaces = [] } = useSpaces(organizationId);
  const [chosen, setChosen] = useState("");
  const reset = useRef<() => void>(null);
  const spaceId = chosen || spaces[0]?.space_id;
  const take = async (file: File | null) => {
    reset.current?.();
    if (!file || !spaceId) return;
    if (await isZip(file)) await uploadExport(organizationId, spaceId, file);
    else showNotice(labels.notZip, { isError: true });
  };
  return (
    <div className={classes.form}>
      <NativeSelect
        label={labels.space}
        description={labels.spaceHint}
        value={spaceId}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={spaces.map((each) => ({ value: each.space_id, label: each.name }))}
      />
      <div className={classes.choose}>
        <FileButton accept=".zip,application/zip" resetRef={reset} onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} disabled={isBusy || !spaceId} leftSection={<Upload size={16} aria-hidden />}>
              {labels.choose}
            </Button>
          )}
        </FileButton>
        <Anchor href="/docs/guides/slack" target="_blank" rel="noreferrer" size="sm">
          {labels.guide}
        </Anchor>
      </div>
    </div>
  );
}
