/**
 * Writes the documentation of every client method into the emitted declarations: `Groups` is a mapped type, for whose
 * members editors show no documentation. The types of the members do not change. Run after the build.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import type { CatalogEntry } from "./src/contract/CatalogEntry.ts"
import type * as Operation from "./src/contract/Operation.ts"

const dist = Path.join(import.meta.dirname, "dist")
const file = Path.join(dist, "client/Client.d.ts")
const PLACEHOLDER = "export type Groups = DerivedGroups;"

const catalog: { readonly entries: ReadonlyArray<CatalogEntry> } = await import(Path.join(dist, "contract/Catalog.js"))

const quoted = (names: ReadonlyArray<string>, separator: string) => names.map((name) => `\`${name}\``).join(separator)

const permission = (sets: Operation.Operation["permission"]): string => {
  if (sets === "refused") return "not available to fine-grained tokens"
  const texts = sets.map((set) =>
    set.map(({ category, level, target }) => `\`${category}\` (${level}) of the ${target}`).join(" and ")
  )
  return texts.filter((text) => text !== "").join(", or ") || "none"
}

const scopes = ({ privateScopes, public: isPublic, scopes }: Operation.Operation): string => {
  const anyone = isPublic ? "none for a public resource" : ""
  if (scopes.length > 0 && scopes.join() === privateScopes.join()) return quoted(scopes, " or ")
  return (
    [
      scopes.length > 0 ? quoted(scopes, " or ") : anyone,
      privateScopes.length > 0 ? `${quoted(privateScopes, " or ")} for a private repository` : ""
    ]
      .filter((text) => text !== "")
      .join("; ") || "none"
  )
}

const tags: Readonly<Record<number, string>> = { 404: "NotFound", 409: "Conflict", 410: "Gone", 501: "Unsupported" }

const errors = ({ failures, operation }: CatalogEntry): string =>
  quoted(
    [
      ...failures.flatMap((status) => tags[status] ?? []),
      "ValidationFailed",
      ...(operation.paging === undefined ? [] : ["UntrustedLink"]),
      "BadCredentials",
      "Forbidden",
      "RateLimited",
      "ServiceFailed",
      "Unreachable",
      "UnexpectedResponse"
    ],
    ", "
  )

const documentation = (entry: CatalogEntry): string => {
  const { endpoint, operation } = entry
  const lines = [
    `${operation.summary}.`,
    ...(operation.description === undefined ? [] : ["", operation.description]),
    "",
    `\`${endpoint.method} ${endpoint.path}\``,
    "",
    ...(operation.extension ? ["- Extension: other forges do not have it (`Unsupported`)"] : []),
    `- Permission: ${permission(operation.permission)}`,
    `- Scope of a classic token: ${scopes(operation)}`,
    `- Errors: ${errors(entry)}`
  ]
  return `    /**\n${lines.map((line) => `     * ${line.replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")}\n     */`
}

const method = (entry: CatalogEntry): string =>
  `${documentation(entry)}\n    readonly ${entry.name}: DerivedGroups["${entry.group}"]["${entry.name}"]`

const group = (name: string, entries: ReadonlyArray<CatalogEntry>): string =>
  `  readonly ${name}: {\n${entries.map(method).join("\n")}\n  }`

const groups = Map.groupBy(catalog.entries, (entry) => entry.group)
const declarations = Fs.readFileSync(file, "utf8")
if (!declarations.includes(PLACEHOLDER)) throw new Error(`${file} does not contain "${PLACEHOLDER}"`)
Fs.writeFileSync(
  file,
  declarations.replace(
    PLACEHOLDER,
    () => `export type Groups = {\n${[...groups].map(([name, entries]) => group(name, entries)).join("\n")}\n}`
  )
)
