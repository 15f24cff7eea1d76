/** Writes the table of the operations in GitHub's published description that the forge does not implement. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { entries } from "@tongs/core/contract/Catalog"
import { pathOf } from "@tongs/core/contract/Dialect"
import * as UnimplementedOperations from "@tongs/service/http/UnimplementedOperations"

export interface DescribedOperation {
  readonly method: string
  /** Path template, for example `/repos/{owner}/{repo}`. */
  readonly path: string
  /** Page of the documentation: a path below https://docs.github.com/rest, or a URL. */
  readonly page: string
  readonly section: string
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly externalDocs: { readonly url: string } }>>>
  >
}

const require = createRequire(import.meta.url)
const read = (file: string) => JSON.parse(readFileSync(require.resolve(`@octokit/openapi/${file}`), "utf8"))

const { version }: { readonly version: string } = read("package.json")

const documentation = "https://docs.github.com/rest/"

/** All operations of GitHub's description. */
export const described = (): ReadonlyArray<DescribedOperation> => {
  const { paths }: Description = read("generated/api.github.com.json")
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { externalDocs }]) => {
      const [page = "", section = ""] = externalDocs.url.replace(documentation, "").split("#")
      return { method: method.toUpperCase(), path, page, section }
    })
  )
}

/** Returns an operation without the names of its parameters, which do not distinguish operations. */
export const shapeOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replaceAll(/:\w+|\{\w+\}(?:\.\.\.\{\w+\})?/g, "{}")}`

/** Endpoints of apps, outside of the contract. */
const apps = [
  { method: "GET", path: "/app" },
  { method: "GET", path: "/app/installations" },
  { method: "GET", path: "/app/installations/{installation_id}" },
  { method: "POST", path: "/app/installations/{installation_id}/access_tokens" },
  { method: "GET", path: "/repos/{owner}/{repo}/installation" },
  { method: "GET", path: "/orgs/{org}/installation" },
  { method: "GET", path: "/users/{username}/installation" }
]

/** Returns the operations of GitHub's description that are neither in the contract nor endpoints of apps. */
export const missing = (): ReadonlyArray<DescribedOperation> => {
  const own = new Set(
    [...apps, ...entries.map((entry) => ({ method: entry.endpoint.method, path: pathOf("github", entry) }))].map(
      shapeOf
    )
  )
  return described().filter((operation) => !own.has(shapeOf(operation)))
}

/** Returns the source text of the table. */
export const make = (): string => {
  const preceding = missing().flatMap(({ method, path }) =>
    entries.some((entry) => UnimplementedOperations.precedes("github", { method, path }, entry))
      ? [`  { method: "${method}", path: "${path}" }`]
      : []
  )
  const lines = [...Map.groupBy(missing(), ({ page }) => page)].flatMap(([page, operations]) => [
    page,
    ...[...Map.groupBy(operations, ({ path }) => path)].map(([path, operations]) =>
      [path, ...operations.map(({ method, section }) => `${method} ${section}`)].join(" ")
    )
  ])
  return `/**
 * The operations of GitHub's description that this forge does not implement. Written by \`pnpm coverage\` from
 * @octokit/openapi ${version}. Format: see UnimplementedOperations.ts.
 */
export const table = \`
${lines.join("\n")}
\`

/** The operations whose paths also match an endpoint of the contract, so that they are routed before it. */
export const preceding = [
${preceding.join(",\n")}
]
`
}

/** Returns the paragraph of docs/coverage.md. */
export const summary = (): string => {
  const operations = missing()
  const chapters = [...Map.groupBy(operations, ({ page }) => page.replace(/^https.*\/rest\//, "").split("/")[0] ?? "")]
    .map(([chapter, all]) => `${chapter} ${all.length}`)
    .toSorted()
  return `# Not implemented

${operations.length} of the ${described().length} operations in GitHub's published description (@octokit/openapi ${version}). They answer 404 to every caller, with a sentence that names the operation and the link to its documentation, also where a name with slashes would match: \`commits/main/status\` is the status of \`main\`, and the branch \`main/status\` is \`commits/main%2Fstatus\`. [All of them](../packages/service/src/http/UnimplementedTable.ts), by chapter: ${chapters.join(", ")}.
`
}
