/** The forge answers the requests about issues that `emulate`, another forge for tests, answers, with equal data. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { startForge } from "@tongs/testing"
import { createEmulator } from "emulate"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const USER = "octo"
const BASE = "/repos/:owner/:repo"
const aboutIssues = /issues|labels|milestones|assignees|reactions|events|timeline|comments/

/** Routes of `emulate` that the contract lacks. */
const lacking = new Set([
  `GET ${BASE}/commits/:commit_sha/comments`,
  `POST ${BASE}/commits/:commit_sha/comments`,
  `GET ${BASE}/pulls/:pull_number/comments`,
  `POST ${BASE}/pulls/:pull_number/comments`,
  `POST ${BASE}/pulls/:pull_number/reviews/:review_id/events`,
  `GET ${BASE}/pulls/:pull_number/reviews/:review_id/comments`,
  "GET /search/labels"
])

/** Routes with comments on pull requests, which the forge only imports. Other tests call them. */
const onPullRequests = new Set(
  ["GET", "PATCH", "DELETE"].map((method) => `${method} ${BASE}/pulls/comments/:comment_id`)
)

/** Lists the routes that the plugin of `emulate` adds to its router. */
const routesOf = async (): Promise<ReadonlyArray<string>> => {
  const folder = dirname(fileURLToPath(import.meta.resolve("emulate")))
  const file = readdirSync(folder).find(
    (name) => name.endsWith(".js") && readFileSync(join(folder, name), "utf8").includes("var githubPlugin =")
  )
  assert.isDefined(file)
  const { githubPlugin } = await import(pathToFileURL(join(folder, file ?? "")).href)
  const routes: Array<string> = []
  /** Stands for any service of the plugin. */
  const anything: object = new Proxy(() => anything, { get: () => anything })
  const add = (method: string) => (path: unknown) =>
    typeof path === "string" && routes.push(`${method.toUpperCase()} ${path}`)
  const router = new Proxy({}, { get: (_, method) => add(String(method)) })
  githubPlugin.register(router, anything, { dispatch: () => {} }, "http://emulate.test", new Map())
  return [...new Set(routes)].filter((route) => aboutIssues.test(route))
}

type Json = unknown

/** A request: its route, the values of the parameters and the body. `:name` in `values` is the id that `keep` stored. */
interface Step {
  readonly route: string
  readonly values?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: object
  /** Stores the id of the response, or of the first item, for the parameter with this name. */
  readonly keep?: string
  /** The lists of both forges have other items, or `emulate` does not give the documented response. */
  readonly differs?: true
}

const issue = (number: number) => ({ issue_number: number })

const steps: ReadonlyArray<Step> = [
  { route: `POST ${BASE}/labels`, body: { name: "dark", color: "336699", description: "No light" } },
  { route: `GET ${BASE}/labels/:name`, values: { name: "dark" } },
  { route: `PATCH ${BASE}/labels/:name`, values: { name: "dark" }, body: { color: "112233" } },
  { route: `GET ${BASE}/labels`, differs: true },
  { route: `POST ${BASE}/labels`, body: { name: "useless", color: "000000" } },
  { route: `DELETE ${BASE}/labels/:name`, values: { name: "useless" } },
  { route: `POST ${BASE}/milestones`, body: { title: "First light", description: "By spring" } },
  { route: `GET ${BASE}/milestones/:milestone_number`, values: { milestone_number: 1 } },
  { route: `PATCH ${BASE}/milestones/:milestone_number`, values: { milestone_number: 1 }, body: { title: "Light" } },
  {
    route: `POST ${BASE}/issues`,
    body: { title: "The lamp is dark", body: "Since Monday.", labels: ["dark"], assignees: [USER], milestone: 1 }
  },
  { route: `POST ${BASE}/issues`, body: { title: "The stairs, too" } },
  { route: `GET ${BASE}/issues`, query: "sort=created&direction=asc" },
  { route: `GET ${BASE}/issues`, query: "labels=dark&milestone=1" },
  { route: `GET ${BASE}/issues/:issue_number`, values: issue(1) },
  { route: `PATCH ${BASE}/issues/:issue_number`, values: issue(2), body: { title: "The stairs", body: "Steep." } },
  { route: `GET ${BASE}/milestones` },
  { route: `GET ${BASE}/milestones/:milestone_number/labels`, values: { milestone_number: 1 } },
  { route: `GET ${BASE}/issues/:issue_number/labels`, values: issue(1) },
  { route: `POST ${BASE}/issues/:issue_number/labels`, values: issue(2), body: { labels: ["dark"] } },
  { route: `PUT ${BASE}/issues/:issue_number/labels`, values: issue(2), body: { labels: ["dark"] } },
  { route: `DELETE ${BASE}/issues/:issue_number/labels/:name`, values: { ...issue(2), name: "dark" }, differs: true },
  { route: `DELETE ${BASE}/issues/:issue_number/labels`, values: issue(1) },
  {
    route: `POST ${BASE}/issues/:issue_number/assignees`,
    values: issue(2),
    body: { assignees: [USER] },
    differs: true
  },
  { route: `DELETE ${BASE}/issues/:issue_number/assignees`, values: issue(2), body: { assignees: [USER] } },
  { route: `POST ${BASE}/issues/:issue_number/comments`, values: issue(1), body: { body: "Oil?" }, keep: "comment_id" },
  { route: `GET ${BASE}/issues/:issue_number/comments`, values: issue(1) },
  { route: `GET ${BASE}/issues/comments/:comment_id` },
  { route: `PATCH ${BASE}/issues/comments/:comment_id`, body: { body: "No oil." } },
  { route: `GET ${BASE}/issues/comments`, differs: true },
  { route: `PUT ${BASE}/issues/:issue_number/lock`, values: issue(1), body: { lock_reason: "resolved" } },
  { route: `GET ${BASE}/issues/:issue_number`, values: issue(1) },
  { route: `DELETE ${BASE}/issues/:issue_number/lock`, values: issue(1) },
  { route: `DELETE ${BASE}/issues/comments/:comment_id` },
  {
    route: `PATCH ${BASE}/issues/:issue_number`,
    values: issue(1),
    body: { state: "closed", state_reason: "not_planned" }
  },
  { route: `GET ${BASE}/issues/:issue_number/events`, values: issue(1), differs: true },
  { route: `GET ${BASE}/issues/:issue_number/timeline`, values: issue(1), differs: true },
  { route: "GET /search/issues", query: `q=${encodeURIComponent(`repo:${USER}/lamp is:issue stairs`)}` },
  { route: `GET ${BASE}/comments`, keep: "comment_id" },
  { route: `GET ${BASE}/comments/:comment_id` },
  { route: `PATCH ${BASE}/comments/:comment_id`, body: { body: "Very nice." } },
  { route: `DELETE ${BASE}/comments/:comment_id` },
  { route: `GET ${BASE}/pulls/comments`, differs: true },
  { route: `DELETE ${BASE}/milestones/:milestone_number`, values: { milestone_number: 1 } }
]

/** Members whose values depend on the forge, such as ids and times. `emulate` does not count the issues of milestones. */
const isOwn = (name: string) => /(?:^|_)(?:id|url|at|sha|score|open_issues|closed_issues)$/.test(name)

/** Returns the members of the other forge's value that differ or are missing. Accounts are compared by login. */
const differences = (ours: Json, theirs: Json, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    return ours.length === theirs.length
      ? ours.flatMap((one, index) => differences(one, theirs[index], `${path}[${index}]`))
      : [`${path}.length: ${ours.length} and ${theirs.length}`]
  }
  if (isRecord(ours) && isRecord(theirs)) {
    const names = "login" in theirs ? ["login"] : Object.keys(theirs).filter((name) => !isOwn(name))
    return names.flatMap((name) =>
      name in ours ? differences(ours[name], theirs[name], `${path}.${name}`) : [`${path}.${name}: missing`]
    )
  }
  return (ours ?? null) === (theirs ?? null) ? [] : [`${path}: ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`]
}

const isRecord = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Server {
  readonly url: string
  readonly token: string
  /** Values of parameters, which the steps extend. */
  readonly values: Record<string, string>
}

const ask = async ({ token, url, values }: Server, step: Step) => {
  const [method = "", template = ""] = step.route.split(" ")
  const given: Readonly<Record<string, string | number>> = { ...values, ...step.values }
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const response = await fetch(`${url}${path}${step.query === undefined ? "" : `?${step.query}`}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "user-agent": "test", "content-type": "application/json" },
    ...(step.body === undefined ? {} : { body: JSON.stringify(step.body) })
  })
  const text = await response.text()
  const json: Json = text === "" ? undefined : JSON.parse(text)
  const [one] = Array.isArray(json) ? json : [json]
  if (step.keep !== undefined && isRecord(one)) values[step.keep] = String(one.id)
  return { status: response.status, json }
}

describe("the routes of emulate about issues", () => {
  const ended: Array<() => Promise<void>> = []
  const servers: Array<Server> = []

  beforeAll(async () => {
    const forge = await startForge()
    const emulator = await createEmulator({
      service: "github",
      port: 0,
      seed: {
        tokens: { theirs: { login: USER, scopes: ["repo", "user"] } },
        github: { users: [{ login: USER }], repos: [{ owner: USER, name: "lamp", auto_init: true }] }
      }
    })
    ended.push(
      () => forge.close(),
      () => emulator.close()
    )
    const { token } = await forge.user(USER)
    const { commits } = await forge.repo(`${USER}/lamp`).commit({ "README.md": "# lamp\n" })
    const comment = { repository: `${USER}/lamp`, commit_id: commits[0] ?? "", user: USER, body: "Nice." }
    await forge.add({ commit_comments: [comment] })
    const values = { owner: USER, repo: "lamp" }
    const theirs = { url: emulator.url, token: "theirs", values: { ...values } }
    const { json } = await ask(theirs, { route: `GET ${BASE}/git/ref/heads/main` })
    const { object } = isRecord(json) ? json : {}
    const commit_sha = String(isRecord(object) ? object.sha : "")
    await ask(theirs, {
      route: `POST ${BASE}/commits/:commit_sha/comments`,
      values: { commit_sha },
      body: { body: "Nice." }
    })
    servers.push({ url: forge.url, token, values }, theirs)
  })
  afterAll(() => Promise.all(ended.map((end) => end())))

  it("are all called, except those of pull requests", async () => {
    const called = new Set(steps.map(({ route }) => route))
    const routes = await routesOf()
    assert.isAtLeast(routes.length, 40)
    assert.deepStrictEqual(
      routes.filter((route) => !called.has(route) && !lacking.has(route) && !onPullRequests.has(route)),
      []
    )
  })

  it("give the same data", async () => {
    const [ours, theirs] = servers
    assert.isDefined(ours)
    assert.isDefined(theirs)
    if (ours === undefined || theirs === undefined) return
    const problems: Array<string> = []
    // The contract's comments on commits have no numbers of reactions.
    for (const step of steps) {
      const [mine, other] = [await ask(ours, step), await ask(theirs, step)]
      const name = `${step.route} ${step.query ?? ""}`
      if (mine.status >= 300) problems.push(`${name}: ${mine.status} ${JSON.stringify(mine.json)}`)
      else if (step.differs !== undefined) continue
      else if (mine.status !== other.status) problems.push(`${name}: ${mine.status} and ${other.status}`)
      else
        problems.push(
          ...differences(mine.json, other.json)
            .filter((one) => !(step.route.includes(`${BASE}/comments`) && one.endsWith(".reactions: missing")))
            .map((one) => `${name}: ${one}`)
        )
    }
    assert.deepStrictEqual(problems, [])
  })
})
