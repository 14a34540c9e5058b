import { Anchor, Button, FileButton, NativeSelect } from "@mantine/core";
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { showNotice } from "@/kit/overlay/notices";
import { useSpaces } from "@/model/spaces/queries";
import { imports as labels } from "@/texts/imports";
import { useOrganization } from "../useOrganization";
import classes from "./Imports.module.css";
import { isZip, uploadExport } from "./uploading";

/** The choice of a space and of an export, which is then uploaded. */
export function ImportForm({ isBusy }: { isBusy: boolean }) {
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
        description={labels.spaceMore}
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
