/** All commands of gh: the version on the PATH and the newest, as `github.localhost` by `tongs run` and as Enterprise. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { hasGh } from "./GhCommand.test-support.ts"
import { accountLines } from "./GhAccountLines.test-support.ts"
import { type GhHost, type GhLine, openForge, type RecordedDocument } from "./GhForge.test-support.ts"
import { issueLines } from "./GhIssueLines.test-support.ts"
import { pullRequestLines } from "./GhPullRequestLines.test-support.ts"
import { repositoryLines } from "./GhRepositoryLines.test-support.ts"
import { type GhVersion, ghVersions } from "./GhVersions.test-support.ts"

/** The versions whose documents are in `test/conformance/graphql`. */
const recorded = ["2.23.0", "2.103.3"]

const lines: ReadonlyArray<GhLine> = [...issueLines, ...pullRequestLines, ...repositoryLines, ...accountLines]

/** Runs all lines, checks their outputs, and returns the GraphQL requests. */
const execute = async ({ folder = "", isNewest }: GhVersion, host: GhHost) => {
  const { documents, run } = await openForge(folder, host)
  const known = lines.filter(([, , only]) => only === undefined || only === host || (only === "newest" && isNewest))
  const results = await run(known.map(([line]) => line))
  for (const [index, [line, expected]] of known.entries()) {
    const { code, output } = results[index] ?? {}
    const matches = typeof expected === "string" ? expected : expect.stringMatching(expected)
    expect.soft([host, line, code, output]).toEqual([host, line, 0, matches])
  }
  return documents
}

const noCommit = "0".repeat(40)

const nameOf = (query: string) => /\b(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? ""

/** Returns each document once, with the variables of one request. Ids of commits vary, so they are replaced. */
const distinct = (documents: ReadonlyArray<RecordedDocument>) => {
  const texts = documents.map(({ query, variables }) =>
    JSON.stringify({ name: nameOf(query), query, variables }, undefined, 2).replaceAll(/\b[0-9a-f]{40}\b/g, noCommit)
  )
  const sorted = texts.toSorted().map((text): RecordedDocument & { readonly name: string } => JSON.parse(text))
  // The first of the sorted requests does not depend on the order in which gh sends requests.
  const byQuery = new Map(sorted.toReversed().map((one) => [one.query, one]))
  return JSON.stringify([...byQuery.values()].toReversed(), undefined, 2)
}

describe.each(ghVersions())("$name", (version) => {
  it.skipIf(version.folder === undefined || !hasGh)(
    "gh and openssl: all commands have their effects, and the schema has what they ask for",
    async () => {
      const [local, enterprise] = await Promise.all([
        execute(version, "github.localhost"),
        execute(version, "Enterprise")
      ])
      const documents = [...local, ...enterprise]
      // The errors of validation, which name the missing types, fields, arguments and values, have no type.
      const problems = documents.flatMap(({ errors }) => errors.filter(({ type }) => type === undefined))
      expect([...new Set(problems.map(({ message }) => message))]).toEqual([])
      if (!recorded.includes(version.version)) return
      const file = join(import.meta.dirname, "../conformance/graphql", `gh-${version.version}.json`)
      await expect(`${distinct(documents)}\n`, "Update the documents with -u.").toMatchFileSnapshot(file)
    },
    600_000
  )
})
