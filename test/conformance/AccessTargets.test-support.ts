/** The requests of the access matrix: all operations of the contract, and all other routes. */
import * as Effect from "effect/Effect"
import { type CatalogEntry, entries } from "@tongs/core/contract/Catalog"
import { pathOf } from "@tongs/core/contract/Dialect"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { AccessForge, jwt } from "./AccessForge.test-support.ts"
import type { Target } from "./AccessMatrix.test-support.ts"
import { substitute } from "./ConformanceFixture.test-support.ts"
import { type OperationCall, callsOf } from "./OperationCalls.test-support.ts"

/**
 * Input for operations whose successful call in the other conformance tests depends on an earlier call, or is missing.
 */
const inputs: Readonly<Record<string, Partial<OperationCall>>> = {
  "repositories.delete": { params: { repo: "hello" } },
  "branches.mergeUpstream": { params: { owner: "harbor" } },
  "repositories.transfer": { params: { owner: "harbor", repo: "hello" }, body: { new_owner: "stranger" } },
  "gitRefs.update": { params: { ref: "heads/side" }, body: { sha: "{commit}", force: true } },
  "gitRefs.delete": { params: { ref: "heads/old" } },
  "cacheLimits.setRetentionForOrg": { body: { max_cache_retention_days: 1 } },
  "codeSearch.search": { query: { q: "ahoy" } },
  "codeSearch.getMatches": { params: { path: "src/greet.ts" }, query: { q: "ahoy" } },
  "codeNavigation.listDefinitions": { params: { name: "greet" } },
  "codeNavigation.listReferences": { params: { name: "greet" } },
  "codeNavigation.getOutline": { params: { path: "src/greet.ts" } },
  "history.listForFolder": { params: { path: "src" } },
  "filePaths.find": { query: { q: "greet" } },
  "collaborators.remove": { params: { repo: "hello", username: "nell" } },
  "teams.update": { body: { description: "Scrubs" } },
  "teamMembers.remove": { params: { team_slug: "crew", username: "piers" } },
  "teamRepositories.remove": { params: { team_slug: "crew", repo: "hello" } },
  "savedSearches.create": { body: { name: "new", query: "ships" } },
  "savedSearches.update": { body: { name: "other" } },
  "savedSearches.markSeen": { body: { version: "of-others" } }
}

const ask = Effect.fnUntraced(function* (method: string, path: string, options: Forge.Ask) {
  return yield* (yield* Forge.TestForge).ask(method, path, options)
})

const operation = (entry: CatalogEntry, own: Partial<OperationCall> = {}): Target => {
  const name = `${entry.group}.${entry.name}`
  const [call = { name: "", status: 200 }] = callsOf(entry, {})
  const input = inputs[name] ?? {}
  const { body, headers = {}, query = {}, token } = { ...call, ...input, ...own }
  const params = { ...call.params, ...input.params, ...own.params }
  const path = pathOf("github", entry).replace(/:(\w+)/g, (_, parameter: string) => String(params[parameter] ?? "x"))
  const search = new URLSearchParams(query)
  const target = search.size === 0 ? path : `${path}?${decodeURIComponent(search.toString())}`
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
  return {
    name,
    inRepository: /^(\/tongs)?\/repos\/:owner\/:repo\b/.test(entry.endpoint.path),
    changes: entry.endpoint.method !== "GET" && entry.operation.effect !== "read",
    ignoresTokens: false,
    // Installations call their own operations, and so do administrators of the site.
    control: token === "max" ? "max" : typeof token === "string" ? "app" : "owner",
    send: Effect.fnUntraced(function* (credential) {
      const { names } = yield* AccessForge
      const sent = text === undefined ? {} : { body: substitute(text, names) }
      const { method } = entry.endpoint
      return (yield* ask(method, substitute(target, names), { token: credential, headers, ...sent })).status
    })
  }
}

const outside = (
  name: string,
  send: Target["send"],
  options: Partial<Pick<Target, "changes" | "control" | "ignoresTokens" | "inRepository">> = {}
): Target => ({ name, send, inRepository: true, changes: false, ignoresTokens: false, control: "owner", ...options })

const request = (name: string, options: Forge.Ask = {}, kind: Parameters<typeof outside>[2] = {}, path = "") => {
  const [method = "", shown = ""] = name.split(" ")
  const send: Target["send"] = (token) =>
    Effect.map(ask(method, path === "" ? shown : path, { ...options, token }), ({ status }) => status)
  return outside(name, send, kind)
}

const QUERY = '{ repository(owner: "harbor", name: "hello") { name defaultBranchRef { name } } }'

/** The status that REST would have for the errors of a query. */
const graphQl: Target["send"] = Effect.fnUntraced(function* (token) {
  const { json, status } = yield* ask("POST", "/graphql", { token, body: { query: QUERY } })
  if (status !== 200 || json.errors === undefined) return status
  const [error] = json.errors
  return error.type === "NOT_FOUND" ? 404 : error.type === "FORBIDDEN" ? 403 : 500
})

/** Follows the redirect that the owner gets. */
const signed = (path: string): Target["send"] =>
  Effect.fnUntraced(function* (token) {
    const { headers } = yield* ask("GET", path, { token: "owner" })
    const { pathname, search } = new URL(headers["location"] ?? "")
    return (yield* ask("GET", `${pathname}${search}`, { token })).status
  })

const packet = (line: string) => `${(line.length + 4).toString(16).padStart(4, "0")}${line}`

/** Deletes a branch, which needs no pack. */
const push: Target["send"] = Effect.fnUntraced(function* (token) {
  const { names } = yield* AccessForge
  const line = packet(`${names["{parent}"]} ${"0".repeat(40)} refs/heads/old\0report-status`)
  const { status, text } = yield* ask("POST", "/harbor/hello.git/git-receive-pack", {
    token,
    headers: { "content-type": "application/x-git-receive-pack-request" },
    body: `${line}0000`
  })
  return status === 200 && !text.includes("ok refs/heads/old") ? 500 : status
})

const fetches = {
  headers: { "git-protocol": "version=2", "content-type": "application/x-git-upload-pack-request" },
  body: `${packet("command=ls-refs\n")}00010000`
}
const INFO = "/harbor/hello.git/info/refs?service="
const asApp = { inRepository: false, control: jwt(9) }

/** Routes that the contract does not declare. `pnpm vitest test/conformance/access.test.ts -u` adds new ones. */
const undeclared: ReadonlyArray<Target> = [
  request("GET /app", {}, asApp),
  request("GET /app/installations", {}, asApp),
  request("GET /app/installations/90", {}, asApp),
  request("GET /repos/harbor/hello/installation", {}, { ...asApp, inRepository: true }),
  request("GET /orgs/harbor/installation", {}, asApp),
  request("GET /users/olive/installation", {}, asApp),
  request("POST /app/installations/90/access_tokens", { body: {} }, { ...asApp, changes: true }),
  request("PUT /app/installations/90/suspended", {}, { ...asApp, changes: true }),
  request("DELETE /app/installations/90/suspended", {}, { ...asApp, changes: true }),
  request("DELETE /app/installations/90", {}, { ...asApp, changes: true }),
  request("GET /app/installation-requests", {}, asApp),
  request("GET /app/hook/config", {}, asApp),
  request("PATCH /app/hook/config", { body: { url: "https://hooks.example.com/" } }, { ...asApp, changes: true }),
  request("GET /app/hook/deliveries", {}, asApp),
  outside("POST /graphql", graphQl),
  outside("signed link of a log", signed("/repos/harbor/hello/actions/jobs/3/logs"), { ignoresTokens: true }),
  outside("signed link of an artifact", signed("/repos/harbor/hello/actions/artifacts/1/zip"), { ignoresTokens: true }),
  outside("signed link of a source archive", signed("/repos/harbor/hello/tarball/main"), { ignoresTokens: true }),
  request("GET info/refs?service=git-upload-pack", {}, {}, `${INFO}git-upload-pack`),
  request("POST git-upload-pack", fetches, {}, "/harbor/hello.git/git-upload-pack"),
  request("GET info/refs?service=git-receive-pack", {}, {}, `${INFO}git-receive-pack`),
  outside("POST git-receive-pack", push, { changes: true }),
  request("GET /_test/requests", {}, { inRepository: false })
]

/** Operations whose access depends on the input, with the mark and the input of the second call. */
const variants: ReadonlyArray<readonly [name: string, mark: string, input: Partial<OperationCall>]> = [
  // Authors need only read access. The comments are by the stranger.
  ["commitComments.update", "own", { params: { comment_id: 14 } }],
  ["commitComments.delete", "own", { params: { comment_id: 14 } }],
  ["reviewComments.update", "own", { params: { comment_id: 23 } }],
  ["reviewComments.delete", "own", { params: { comment_id: 23 } }],
  ["reviews.update", "own", { params: { review_id: 34 } }],
  ["repositories.update", "private", { body: { private: true } }]
]

const marked = variants.flatMap(([name, mark, input]): Array<Target> => {
  const entry = entries.find((one) => `${one.group}.${one.name}` === name)
  return entry === undefined ? [] : [{ ...operation(entry, input), name: `${name} (${mark})` }]
})

/** The last target: afterwards, the forge reads the repository again. */
const isLast = ({ name }: Target) => name === "repositories.delete"
const operations = entries.map((entry) => operation(entry))

export const targets: ReadonlyArray<Target> = [
  ...operations.filter((one) => !isLast(one)),
  ...marked,
  ...undeclared,
  ...operations.filter(isLast)
]
