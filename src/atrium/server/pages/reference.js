// Draws the API reference from this server's own OpenAPI document; nothing comes from anywhere else.

// Replace references in a part of the document by what they refer to. Swagger UI's own way takes ten seconds, because it
// parses and normalizes the whole document for each part.
function resolved(part, document, within = []) {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => resolved(each, document, within));
  const { $ref, ...rest } = part;
  if (typeof $ref !== "string" || within.includes($ref))
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(value, document, within)]));
  return resolved({ ...at(document, $ref.split("/").slice(1)), ...rest }, document, [...within, $ref]);
}

const at = (document, path) => path.reduce((part, name) => part[name], document);

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [
    { fn: { resolveSubtree: async (document, path) => ({ spec: resolved(at(document, path), document), errors: [] }) } },
  ],
});
