/** Finds the operations of the contract in the client, the service, the commands and the agent tools. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, entries, resultSchemas } from "@tongs/core/contract/Catalog"
import { groups } from "@tongs/core/contract/CatalogEntry"
import * as Document from "@tongs/core/contract/Document"
import { type Operation, toKebabCase } from "@tongs/core/contract/Operation"
import * as Presentation from "@tongs/core/contract/Presentation"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { EmbeddedForge, IN_PROCESS_URL } from "@tongs/service/main/EmbeddedForge"
import * as Features from "@tongs/service/features/Features"
import * as RootCommand from "../../apps/cli/src/RootCommand.ts"
import * as Tools from "../../apps/mcp/src/Tools.ts"
import { documentedEndpoints } from "./DocumentedEndpoints.ts"
import * as GitHubOperations from "./GitHubOperations.ts"

/** An operation with the name in each program, or undefined if the operation is missing. */
interface Row {
  readonly entry: CatalogEntry
  readonly statuses: ReadonlyArray<string>
  readonly client: string | undefined
  readonly service: string | undefined
  readonly command: string | undefined
  readonly tool: string | undefined
}

export interface Coverage {
  /** Markdown. */
  readonly text: string
  /** Missing operations, one line each. */
  readonly gaps: ReadonlyArray<string>
}

const template = ({ endpoint }: CatalogEntry) => endpoint.path.replaceAll(/:(\w+)/g, "{$1}")

/** The route without names of parameters, which do not distinguish operations. */
const anonymous = (route: string) => route.replaceAll(/\{\w+\}/g, "{}")

interface Named {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

/** All commands with the names of the parent commands, for example `git-refs get`. */
const commandsOf = (command: Named, above = ""): ReadonlyArray<string> =>
  command.subcommands.flatMap(({ commands }) =>
    commands.flatMap((one) => [`${above}${one.name}`, ...commandsOf(one, `${above}${one.name} `)])
  )

/** Names of the service's handlers and of the client's methods, for example `gitRefs.get`. */
const sides = Effect.gen(function* () {
  const handlers = (yield* Features.handlers).flatMap(({ group, handlers }) =>
    Object.keys(handlers).map((name) => `${group}.${name}`)
  )
  const forge = yield* Forge.make({ baseUrl: IN_PROCESS_URL }).pipe(
    Effect.provideService(HttpClient.HttpClient, (yield* EmbeddedForge).client),
    Effect.provide(Scheduler.layerMemory)
  )
  const methods = Object.entries(forge).flatMap(([group, members]: readonly [string, unknown]) =>
    typeof members === "object" && members !== null ? Object.keys(members).map((name) => `${group}.${name}`) : []
  )
  return { handlers: new Set(handlers), methods: new Set(methods) }
})

const embedded = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-coverage-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => EmbeddedForge.layer({ data: join(folder, "data"), cwd: folder, repos: [folder], dialect: "service" })
  )
)

/** Computes the table and the gaps. */
export const make = Effect.gen(function* () {
  const { handlers, methods } = yield* Effect.provide(sides, embedded)
  const commands = new Set(commandsOf(RootCommand.make(groups.map(toKebabCase))))
  const names = new Set(
    Tools.select({ allowWrites: true, confirm: "ask", dryRun: false, toolsets: groups }, undefined).map(
      ({ name }) => name
    )
  )
  const { paths } = Document.make()
  const found = (all: ReadonlySet<string>, name: string) => (all.has(name) ? name : undefined)

  const rows = entries.map((entry): Row => {
    const { endpoint, group, name } = entry
    const id = `${group}.${name}`
    const documented = Object.entries(paths[template(entry)] ?? {}).flatMap(([method, operation]) =>
      method.toUpperCase() === endpoint.method && "responses" in operation ? Object.keys(operation.responses) : []
    )
    return {
      entry,
      statuses: documented.sort(),
      client: found(methods, id),
      service: found(handlers, id),
      command: found(commands, entry.command),
      tool: found(names, entry.tool)
    }
  })

  const declared = new Set(entries.map((entry) => anonymous(`${entry.endpoint.method} ${template(entry)}`)))
  const gaps = [
    ...documentedEndpoints
      .filter((route) => !declared.has(anonymous(route)))
      .map((route) => `the contract lacks ${route}`),
    ...rows.flatMap((row) =>
      (["client", "service", "command", "tool"] as const) // the members of a row
        .filter((side) => row[side] === undefined)
        .map((side) => `${row.entry.group}.${row.entry.name} has no ${side}`)
    )
  ]
  return { text: print(rows), gaps } satisfies Coverage
})

const INTRODUCTION = `# Coverage

All operations of the contract, with their client method, service handler, command and agent tool. \`pnpm coverage\` writes this page from the declarations and from the programs themselves. The tests fail if it is outdated, or if an operation of the specification is missing.

- **Permission**: required for a fine-grained token; one of several joined by "or". **Scopes**: one of them is required for a classic or OAuth token; "private" means for private resources only.
- **Public**: callable without a token, for public resources.
- **Statuses**: the success, the declared failures, and those of all operations (401, 403, 429); a GET is 304 if the caller's copy is current.
- All lists page with the Link header. All operations return JSON; the table lists additional media types.
`

const EXTENSION_INTRODUCTION = `# Extensions

Operations that are not part of the documents. The embedded forge has them; other forges answer 404 or 501, which the client gives as \`Unsupported\`. Agents get their tools only if the toolset is named.
`

const print = (rows: ReadonlyArray<Row>): string =>
  [
    INTRODUCTION,
    ...sections(rows.filter(({ entry }) => !entry.operation.extension)),
    EXTENSION_INTRODUCTION,
    ...sections(rows.filter(({ entry }) => entry.operation.extension)),
    GitHubOperations.section()
  ].join("\n")

const sections = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const groups = Map.groupBy(rows, ({ entry }) => entry.group)
  return [
    `${rows.length} operations in ${groups.size} groups.`,
    "",
    ...[...groups].map(([group, rows]) => `## ${group}\n\n${table(rows)}\n`)
  ]
}

const columns = [
  "Operation",
  "GitHub's id",
  "Method and path",
  "Public",
  "Permission",
  "Scopes",
  "Access",
  "Effect",
  "Columns",
  "Paging",
  "Media types",
  "Statuses",
  "Client",
  "Service",
  "Command",
  "Agent tool"
]

const table = (rows: ReadonlyArray<Row>): string =>
  [columns, columns.map(() => "---"), ...rows.map(cells)].map((line) => `| ${line.join(" | ")} |`).join("\n")

const cells = ({ client, command, entry, service, statuses, tool }: Row): ReadonlyArray<string> => {
  const { endpoint, name, operation } = entry
  return [
    name,
    operation.operationId === undefined ? "" : `\`${operation.operationId}\``,
    `\`${endpoint.method} ${template(entry)}\``,
    operation.public ? "yes" : "",
    permission(operation),
    scopes(operation),
    operation.access,
    effect(operation),
    columnsOf(entry),
    operation.paging ?? "",
    operation.mediaTypes.join(", "),
    statuses.join(" "),
    client === undefined ? "**no**" : "yes",
    service === undefined ? "**no**" : "yes",
    command === undefined ? "**no**" : `\`${command}\``,
    tool === undefined ? "**no**" : `\`${tool}\``
  ]
}

const permission = ({ permission: sets }: Operation): string =>
  sets === "refused"
    ? "not accepted"
    : sets
        .map((set) => set.map(({ category, level, target }) => `${category} (${target}, ${level})`).join(" and "))
        .join(" or ")

/** Headers of the list that an operation gives; headers that identify an item in bold. */
const columnsOf = (entry: CatalogEntry): string =>
  Presentation.columns(listOf(entry))
    .map(({ header, identifies }) => (identifies ? `**${header}**` : header))
    .join(", ")

const listOf = (entry: CatalogEntry) => {
  const result = resultSchemas(entry)
  return Presentation.declaration(result) === undefined ? Presentation.itemSchemas(result) : []
}

/** The effect, with a note if such an operation usually has another effect. */
const effect = ({ effect, idempotent, reversible }: Operation): string =>
  [
    effect,
    ...(effect === "create" && idempotent ? ["idempotent"] : []),
    ...(effect !== "delete" && reversible !== true ? [reversible === false ? "final" : "may be final"] : []),
    ...(effect === "delete" && reversible === true ? ["reversible"] : [])
  ].join(", ")

const scopes = ({ privateScopes, scopes }: Operation): string => {
  const own = scopes.map((scope) => `\`${scope}\``).join(" or ")
  const hidden = privateScopes.map((scope) => `\`${scope}\``).join(" or ")
  if (hidden === "" || hidden === own) return own
  return own === "" ? `private: ${hidden}` : `${own}; private: ${hidden}`
}
