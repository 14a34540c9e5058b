import { NativeSelect, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { webhookAuthentication } from "@/texts/webhookAuthentication";
import type { AuthenticationType, Draft, SecretState } from "./authentication";
import classes from "./WebhookDialog.module.css";

interface Props {
  value: Draft;
  secret: SecretState;
  onChange: (value: Draft) => void;
}

const labels = webhookAuthentication;
const TYPES = Object.keys(labels.types) as AuthenticationType[];
const PLACES = Object.keys(labels.clientAuthentications) as Draft["clientAuthentication"][];
const SECRET_HELP = { new: labels.once, stored: labels.stored, again: labels.again };

/** How a webhook authenticates to its endpoint, with the fields of the chosen way. */
export function AuthenticationFields({ value, secret, onChange }: Props) {
  return (
    <div>
      <NativeSelect
        label={labels.title}
        description={labels.hint}
        value={value.type}
        data={TYPES.map((type) => ({ value: type, label: labels.types[type] }))}
        onChange={(event) => {
          const type = TYPES.find((each) => each === event.currentTarget.value) ?? "none";
          onChange({ ...value, type });
        }}
      />
      {value.type === "oauth2" && <OAuthFields value={value} secret={secret} onChange={onChange} />}
      {value.type === "mutual_tls" && <CertificateFields value={value} secret={secret} onChange={onChange} />}
    </div>
  );
}

function OAuthFields({ value, secret, onChange }: Props) {
  return (
    <div className={classes.box}>
      <TextInput
        type="url"
        className={classes.wide}
        label={labels.tokenUrl}
        description={labels.tokenUrlHint}
        placeholder="https://id.example.org/oauth2/token"
        required
        withAsterisk={false}
        maxLength={2000}
        value={value.tokenUrl}
        onChange={(event) => onChange({ ...value, tokenUrl: event.currentTarget.value })}
      />
      <TextInput
        label={labels.clientId}
        required
        withAsterisk={false}
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        value={value.clientId}
        onChange={(event) => onChange({ ...value, clientId: event.currentTarget.value })}
      />
      <PasswordInput
        label={labels.clientSecret}
        required={secret !== "stored"}
        withAsterisk={false}
        maxLength={2000}
        autoComplete="new-password"
        inputWrapperOrder={["label", "input", "description", "error"]}
        description={SECRET_HELP[secret]}
        value={value.clientSecret}
        onChange={(event) => onChange({ ...value, clientSecret: event.currentTarget.value })}
      />
      <TextInput
        label={labels.scope}
        placeholder={labels.optional}
        maxLength={2000}
        spellCheck={false}
        value={value.scope}
        onChange={(event) => onChange({ ...value, scope: event.currentTarget.value })}
      />
      <TextInput
        label={labels.audience}
        placeholder={labels.optional}
        maxLength={2000}
        spellCheck={false}
        value={value.audience}
        onChange={(event) => onChange({ ...value, audience: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.wide}
        label={labels.clientAuthentication}
        value={value.clientAuthentication}
        data={PLACES.map((place) => ({ value: place, label: labels.clientAuthentications[place] }))}
        onChange={(event) => {
          const place = PLACES.find((each) => each === event.currentTarget.value) ?? "basic";
          onChange({ ...value, clientAuthentication: place });
        }}
      />
    </div>
  );
}

function CertificateFields({ value, secret, onChange }: Props) {
  return (
    <div className={classes.box}>
      <Textarea
        className={classes.wide}
        classNames={{ input: classes.pem ?? "" }}
        label={labels.certificate}
        description={labels.certificateHint}
        placeholder="-----BEGIN CERTIFICATE-----"
        required
        withAsterisk={false}
        rows={4}
        maxLength={30_000}
        spellCheck={false}
        value={value.certificate}
        onChange={(event) => onChange({ ...value, certificate: event.currentTarget.value })}
      />
      <Textarea
        className={classes.wide}
        classNames={{ input: classes.pem ?? "" }}
        label={labels.privateKey}
        description={`${labels.privateKeyHint} ${SECRET_HELP[secret]}`}
        placeholder="-----BEGIN PRIVATE KEY-----"
        required={secret !== "stored"}
        withAsterisk={false}
        rows={4}
        maxLength={10_000}
        autoComplete="off"
        spellCheck={false}
        value={value.privateKey}
        onChange={(event) => onChange({ ...value, privateKey: event.currentTarget.value })}
      />
    </div>
  );
}
