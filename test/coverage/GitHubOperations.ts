/** The operations of GitHub's published description: the forge's, and the operations that the forge does not have. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { entries } from "@tongs/core/contract/Catalog"

export interface DescribedOperation {
  /** GitHub's id, for example `issues/list-for-repo`. */
  readonly id: string
  readonly method: string
  /** Path template, for example `/repos/{owner}/{repo}`. */
  readonly path: string
  /** Page of the documentation: a path below https://docs.github.com/rest, or a URL. */
  readonly page: string
  readonly section: string
}

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId: string; readonly externalDocs: { readonly url: string } }>>
    >
  >
}

const require = createRequire(import.meta.url)
const read = (file: string) => JSON.parse(readFileSync(require.resolve(`@octokit/openapi/${file}`), "utf8"))

export const { version }: { readonly version: string } = read("package.json")

const DOCUMENTATION = "https://docs.github.com/rest/"

/** The operations of an edition of GitHub's description, by default of github.com. */
export const described = (edition = "api.github.com"): ReadonlyArray<DescribedOperation> => {
  const { paths }: Description = read(`generated/${edition}.json`)
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { externalDocs, operationId }]) => {
      const [page = "", section = ""] = externalDocs.url.replace(DOCUMENTATION, "").split("#")
      return { id: operationId, method: method.toUpperCase(), path, page, section }
    })
  )
}

/** Returns an operation without names of parameters, which do not distinguish operations. */
export const shapeOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replaceAll(/:\w+|\{\w+\}(?:\.\.\.\{\w+\})?/g, "{}")}`

/**
 * Operations that no declaration of the contract names: operations of apps, a second name of a comparison, and teams by
 * their ids.
 */
const others = [
  "teams/get-legacy",
  "teams/update-legacy",
  "teams/delete-legacy",
  "teams/list-members-legacy",
  "teams/get-membership-for-user-legacy",
  "teams/add-or-update-membership-for-user-legacy",
  "teams/remove-membership-for-user-legacy",
  "teams/list-repos-legacy",
  "teams/check-permissions-for-repo-legacy",
  "teams/add-or-update-repo-permissions-legacy",
  "teams/remove-repo-legacy",
  "teams/list-child-legacy",
  "repos/compare-commits",
  "apps/get-authenticated",
  "apps/list-installations",
  "apps/get-installation",
  "apps/create-installation-access-token",
  "apps/get-repo-installation",
  "apps/get-org-installation",
  "apps/get-user-installation",
  "apps/create-from-manifest",
  "apps/delete-installation",
  "apps/suspend-installation",
  "apps/unsuspend-installation",
  "apps/list-installation-requests-for-authenticated-app",
  "apps/get-webhook-config-for-app",
  "apps/update-webhook-config-for-app",
  "apps/list-webhook-deliveries",
  "apps/get-webhook-delivery",
  "apps/redeliver-webhook-delivery"
]

/** Returns the operations of GitHub's description that are neither in the contract nor among the others. */
export const missing = (): ReadonlyArray<DescribedOperation> => {
  const own = new Set([...others, ...entries.map(({ operation }) => operation.operationId)])
  return described().filter(({ id }) => !own.has(id))
}

/** Why operations of a group are missing. Without a reason: not yet. */
const reasons: Readonly<Record<string, string>> = {
  "agent-tasks": "run on GitHub's own service",
  agents: "run on GitHub's own service",
  billing: "accounts of GitHub's own service",
  campaigns: "need code scanning",
  classroom: "a product of its own",
  "code-quality": "needs an analysis service",
  "code-scanning": "needs an analysis service",
  "code-security": "needs an analysis service",
  codespaces: "need machines that the forge starts",
  copilot: "runs on GitHub's own service",
  "copilot-spaces": "run on GitHub's own service",
  dependabot: "needs a database of advisories",
  "dependency-graph": "needs a database of packages",
  "enterprise-teams": "belong to GitHub's own plans",
  packages: "need a package registry",
  pages: "need a web host",
  "private-registries": "need a package registry",
  "secret-scanning": "needs patterns of secrets of other services",
  "security-advisories": "need a database of advisories"
}

/** Returns the section of docs/coverage.md with all operations of GitHub's description. */
export const section = (): string => {
  const absent = new Set(missing().map(({ id }) => id))
  const all = described()
  const groups = Map.groupBy(all, ({ id }) => id.split("/")[0] ?? "")
  const rows = [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, operations]) => {
      const list = (isAbsent: boolean) =>
        operations.flatMap(({ id }) => (absent.has(id) === isAbsent ? [id.slice(group.length + 1)] : [])).join(", ")
      const isComplete = operations.every(({ id }) => !absent.has(id))
      return `| ${group} | ${list(false)} | ${list(true)} | ${isComplete ? "" : (reasons[group] ?? "not yet")} |`
    })
  return `# GitHub's operations

${all.length - absent.size} of the ${all.length} operations in GitHub's published description (@octokit/openapi ${version}), by the first part of their ids. The others answer 404 to every caller, with a sentence that names the operation and the link to its documentation, also where a name with slashes would match: \`commits/main/status\` is the status of \`main\`, and the branch \`main/status\` is \`commits/main%2Fstatus\`.

| Group | There | Not there | Why |
| --- | --- | --- | --- |
${rows.join("\n")}
`
}
