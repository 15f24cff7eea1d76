/** Writes the table of the operations in GitHub's published description that the forge does not implement. */
import { entries } from "@tongs/core/contract/Catalog"
import * as UnimplementedOperations from "@tongs/service/http/UnimplementedOperations"
import { missing, version } from "./GitHubOperations.ts"

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
export const TABLE = \`
${lines.join("\n")}
\`

/** The operations whose paths also match an endpoint of the contract. The router tries these operations first. */
export const preceding = [
${preceding.join(",\n")}
]
`
}
