import { useInfiniteQuery } from "@tanstack/react-query";
import { Import as ImportIcon, Upload } from "lucide-react";
import { Anchor, Button, FileButton, NativeSelect } from "@mantine/core";
import { useRef, useState } from "react";
import { useStore, Store } from "@/kit/data/store";
import { EmptyState } from "@/kit/layout/EmptyState";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { Rows, Row } from "@/kit/layout/Rows";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { showNotice } from "@/kit/overlay/notices";
import { useSpaces } from "@/model/spaces/queries";
import { imports as labels } from "@/texts/imports";
import { messageOf } from "@/api/errors";
import { queryClient } from "@/api/queryClient";
import { nameFor, uploadTo } from "@/model/uploads/upload";
import { AdministrationPage } from "../AdministrationPage";
import { StatusTag } from "../StatusTag";
import { hasRole, useOrganization } from "../useOrganization";
import { UploadProgress } from "./ImportProgress";
import { ImportRow } from "./ImportRow";
import classes from "./Imports.module.css";
import { importsOf, isWorkedOn, type Import, importsKey } from "./queries";

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

/** The upload of an export by this page. It continues while other pages are shown. */
interface Uploading {
  organizationId: string;
  name: string;
  size: number;
  sent: number;
  end: AbortController;
}

const uploading = new Store<Uploading | null>(null);

const ZIP = [0x50, 0x4b, 0x03, 0x04];

async function isZip(file: Blob): Promise<boolean> {
  const begins = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return ZIP.every((byte, nr) => begins[nr] === byte);
}

/** Upload an export. The server checks it when it is complete. */
async function uploadExport(organizationId: string, spaceId: string, file: File): Promise<void> {
  const name = nameFor(file);
  const end = new AbortController();
  uploading.set({ organizationId, name, size: file.size, sent: 0, end });
  addEventListener("beforeunload", warn);
  try {
    await uploadTo({
      endpoint: `/v1/organizations/${organizationId}/imports?space_id=${spaceId}`,
      metadata: { filename: name },
      isResumable: true,
      file,
      onSent: (sent) => uploading.update((known) => known && { ...known, sent }),
      signal: end.signal,
    });
  } catch (error) {
    const why = labels.failedUpload(name, messageOf(error));
    if (!end.signal.aborted) showNotice(why, { isError: true });
  } finally {
    removeEventListener("beforeunload", warn);
    await queryClient.invalidateQueries({ queryKey: importsKey(organizationId) });
    uploading.set(null);
  }
}

/** Have the browser ask before the page closes during an upload. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
