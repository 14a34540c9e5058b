import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { Row } from "@/kit/layout/Rows";
import { imports as labels } from "@/texts/imports";
import { StatusTag } from "../StatusTag";
import { UploadProgress } from "./ImportProgress";
import type { Uploading } from "./uploading";

/** The upload of this page. */
export function UploadRow({ one }: { one: Uploading }) {
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
