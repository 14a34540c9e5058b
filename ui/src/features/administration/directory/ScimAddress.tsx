import { Button } from "@mantine/core";
import { Copy } from "lucide-react";
import { copy } from "@/kit/text/clipboard";
import { administration } from "@/texts/administration";
import classes from "./ScimAddress.module.css";

const labels = administration.directory;

/** The SCIM base URL, to copy into the identity provider. */
export function ScimAddress() {
  const address = `${location.origin}/scim/v2`;
  return (
    <div className={classes.line}>
      <code>{address}</code>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void copy(address, labels.addressCopied)}
      >
        {labels.copyAddress}
      </Button>
    </div>
  );
}
