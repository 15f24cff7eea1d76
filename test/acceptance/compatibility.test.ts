/** `docs/compatibility.md` shows the results of the clients' tests. `vitest -u` writes the page. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as isomorphicGit from "isomorphic-git"
import { expect, it } from "vitest"
import { entries } from "@tongs/core/contract/Catalog"
import { type ClientResults, resultsFolder } from "./ClientForge.test-support.ts"
import { emulateVersion, PASSED, programResults, type ProgramResult } from "./ProgramForges.test-support.ts"
import { versions } from "./Tools.test-support.ts"

const page = join(import.meta.dirname, "../../docs/compatibility.md")

/** The clients in the order of the page's columns. */
const order = ["PyGithub", "githubkit", "go-github", "gh", "octocrab", "GitHub API for Java"]

const read = (name: string): ClientResults => JSON.parse(readFileSync(join(resultsFolder, name), "utf8"))

const rank = ({ client }: ClientResults) => (order.includes(client) ? order.indexOf(client) : order.length)

const clients = readdirSync(resultsFolder)
  .map(read)
  .toSorted((one, other) => rank(one) - rank(other))

const operations = entries.filter(({ operation }) => !operation.extension)
const groups = [...new Set(operations.map(({ group }) => group))]

const inGroup = (group: string) =>
  operations.filter((entry) => entry.group === group).map(({ name }) => `${group}.${name}`)

/** For example `all 5`, or `3 of 5, 1 absent, 1 fails`. */
const cell = ({ absent, fails, works }: ClientResults, group: string): string => {
  const names = inGroup(group)
  const count = (some: ReadonlyArray<string>) => names.filter((name) => some.includes(name)).length
  const counts = { works: count(works), absent: count(absent), fails: count(Object.keys(fails)) }
  if (counts.works === names.length) return `all ${names.length}`
  if (counts.absent === names.length) return "absent"
  const untested = names.length - counts.works - counts.absent - counts.fails
  const present = counts.works + counts.fails + untested
  return [
    counts.works === present ? `all ${present}` : `${counts.works} of ${present}`,
    ...(counts.absent > 0 ? [`${counts.absent} absent`] : []),
    ...(counts.fails > 0 ? [`${counts.fails} fail`] : []),
    ...(untested > 0 ? [`${untested} untested`] : [])
  ].join(", ")
}

const row = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [head, head.map(() => "---"), ...rows].map(row).join("\n")

const details = ({ absent, client, fails, works }: ClientResults): string => {
  const code = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``).join(", ")
  const untested = operations
    .map(({ group, name }) => `${group}.${name}`)
    .filter((name) => !works.includes(name) && !absent.includes(name) && !(name in fails))
  return [
    `### ${client}`,
    ...Object.entries(fails).map(([name, reason]) => `- \`${name}\` fails: ${reason}.`),
    ...(absent.length > 0 ? [`- Absent: ${code(absent)}.`] : []),
    ...(untested.length > 0 ? [`- Untested: ${code(untested)}.`] : []),
    ...(absent.length + untested.length + Object.keys(fails).length === 0 ? ["- Every operation works."] : [])
  ].join("\n")
}

/** Clients of git over HTTP, and the tests. */
const gitClients = [
  ["git", "that of the machine", "clone, fetch and push: `git-*.test.ts`"],
  [
    "gh",
    "that of the machine",
    "`gh repo clone`: `gh-groups.long.test.ts`; git with the credentials of `gh auth git-credential`: `clients-gh.long.test.ts`"
  ],
  [
    "isomorphic-git",
    isomorphicGit.version(),
    "whole and shallow clones, fetch, push, deletion, refusals: `isomorphic-git.long.test.ts`, `isomorphic-git-push.long.test.ts`"
  ],
  [
    "semantic-release",
    versions["semantic-release"] ?? "",
    "ls-remote, trial push, tags and notes, with the token as user name and as password: `semantic-release.long.test.ts`"
  ]
]

const programs = readdirSync(programResults).map((name): ProgramResult =>
  JSON.parse(readFileSync(join(programResults, name), "utf8"))
)

/** `passed`, or the request that failed, or the error after no failed request. */
const outcome = (result: string): string => {
  if (result === PASSED) return result
  const kind = /^[A-Z]+ \//.test(result) ? "" : "no request failed: "
  return `${/\/info\/refs \d+$/.test(result) ? "no git over HTTP: " : kind}\`${result.replaceAll("|", "\\|")}\``
}

/** Programs without a recorded result: their tests, and what they do. */
const others = [
  ["gh", "2.23.0, 2.103.3", "all commands for what the forge has: `gh-versions.long.test.ts`"],
  ["gh-dash", "4.25.2", "lists of pull requests and issues, and a comment: `gh-programs.long.test.ts`"],
  ["lazygit", "0.66.2", "the pull request of a branch, at an HTTPS host: `gh-programs.long.test.ts`"],
  ["git-town", "24.0.0", "a proposal, its merge and the branches, by gh and by the API: `gh-programs.long.test.ts`"],
  [
    "probot-stale",
    `${versions["probot-stale"]}, with Probot ${versions["probot"]}`,
    "old issues get a label and a comment, and are closed later; a comment removes the label: `probot.long.test.ts`"
  ],
  [
    "repository-settings/app",
    "5.0.13, with Probot 14.3.2",
    "a push of its file changes the repository, labels, milestones, collaborators, teams, environments, rulesets and the protection of branches: `probot.long.test.ts`. The forge has no alerts to enable"
  ],
  [
    "github-mcp-server",
    "1.10.1",
    "every tool for repositories, issues, pull requests, accounts, runs, labels, notifications and stars, but `list_issue_fields`: `github-mcp-server.long.test.ts`"
  ],
  ["PyGithub", "2.10.0", "triage, a reviewed change, a release with a file, lists: `python-scripts.long.test.ts`"],
  ["ghapi", "2.1.4", "triage, commits of trees, a merge, releases, pages at once: `python-scripts.long.test.ts`"]
]

const text = () => `# Compatibility

Clients of other people, unmodified, call a forge in the \`github\` dialect and check the values of its responses. The long tests \`test/acceptance/clients-*.long.test.ts\` record the operations that each client completes; \`npx vitest run test/acceptance/compatibility.test.ts -u\` writes this page from their results.

"All 5" means that all five operations of the group that the client has methods for work. "Absent" operations have no method in the client.

${table(
  ["Client", "Version", "Language", "Operations that work"],
  clients.map(({ absent, client, language, version, works }) => [
    client,
    version,
    language,
    `${works.length} of ${operations.length - absent.length} (${absent.length} absent)`
  ])
)}

## Groups

${table(
  ["Group", ...clients.map(({ client }) => client)],
  groups.map((group) => [group, ...clients.map((results) => cell(results, group))])
)}

## Git over HTTP

${table(["Client", "Version", "What works"], gitClients)}

## Programs

Programs that know only GitHub run unmodified, and the tests check what they did at the forge: the long tests that call \`compareForges\` record the results. The versions are in lock files of their own. *Intercepted* programs run on Node without any address of the forge: \`@tongs/testing/intercept\`, loaded by \`node --import\`, leads their requests for \`api.github.com\` to it. The same scenarios run on \`emulate\` ${emulateVersion}. Its results name the first request that failed there and did not fail on \`tongs\`. Commits of the set-up are created with its API, because it has no git over HTTP.

${table(
  ["Program", "Version", "What it does", "tongs", "intercepted", "emulate"],
  programs.map(({ emulate, "github.com": intercepted, program, scenario, tongs, version }) => [
    program,
    version,
    scenario,
    outcome(tongs),
    intercepted === undefined ? "–" : outcome(intercepted),
    outcome(emulate)
  ])
)}

Further programs, each with a test of its own, are skipped where they are not installed.

${table(["Program", "Version", "What works"], others)}

## Operations

${clients.map(details).join("\n\n")}
`

it("docs/compatibility.md shows the results of the clients' tests", async () => {
  await expect(text(), "Run: npx vitest run test/acceptance/compatibility.test.ts -u").toMatchFileSnapshot(page)
})
