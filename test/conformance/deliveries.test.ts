/**
 * Deliveries are valid by GitHub's published schemas of webhooks: issues, reviews, runs, deployments, releases, teams, apps
 * and custom properties.
 */
import { sign } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startForge, type TestForge } from "@tongs/testing"
import * as GitHubOpenApi from "./GitHubOpenApi.test-support.ts"

const events = [
  "issues",
  "issue_comment",
  "label",
  "milestone",
  "sub_issues",
  "issue_dependencies",
  "team",
  "membership",
  "organization",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_review_thread",
  "installation",
  "installation_repositories",
  "custom_property",
  "custom_property_values",
  "workflow_run",
  "workflow_job",
  "workflow_dispatch",
  "deployment_review",
  "deployment_protection_rule",
  "deployment",
  "deployment_status",
  "release"
]

/** The schema of dispatches has the name of one action, because senders choose the actions. */
const DISPATCH = "repository_dispatch_sample.collected"

/** Actions of other events. */
const further = ["pull_request.review_requested", "pull_request.review_request_removed", DISPATCH]

/** Actions that the forge never announces. */
const missing: Readonly<Record<string, string>> = {
  "issues.field_added": "the forge has no issue fields",
  "issues.field_removed": "the forge has no issue fields",
  "organization.deleted": "organizations cannot be deleted",
  "organization.renamed": "organizations cannot be renamed"
}

/** Problems of deliveries that are correct. The schemas contradict the REST API there, or themselves. */
const exceptions: ReadonlyArray<{ readonly deliveries: RegExp; readonly problem: RegExp; readonly reason: string }> = [
  {
    deliveries: /^(issue_dependencies|deployment_review)\./,
    problem: /^ must have required property 'organization'/,
    reason: "Repositories of users have no organization, and the schemas of sub_issues do not need one."
  },
  {
    deliveries: /^deployment_status\./,
    problem: /^\/deployment_status\/environment_url must match format "uri"/,
    reason: "Without a URL it is empty, the described default of the REST API."
  },
  {
    deliveries: /^repository_dispatch/,
    problem: /^ must have required property 'installation'/,
    reason: "Only deliveries to apps have an installation."
  }
]

const actions = [...GitHubOpenApi.deliveries.keys()].filter(
  (name) => events.includes(name.split(".")[0] ?? "") || further.includes(name)
)

const nameOf = ({ event, payload }: TestForge["webhooks"][number]) => {
  const action = Object(payload).action
  if (event === "repository_dispatch") return DISPATCH
  return typeof action === "string" ? `${event}.${action}` : event
}

/** Sends a request as the owner, and returns the body. */
const request =
  (forge: TestForge) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes
  async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${forge.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${forge.owner.token}`,
        "user-agent": "test",
        "content-type": "application/json",
        "x-github-api-version": "2026-03-10"
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok || text.includes('"errors"')) throw new Error(`${response.status} ${method} ${path} ${text}`)
    return text === "" ? undefined : JSON.parse(text)
  }

/** Runs a mutation of GraphQL. */
const mutate = (forge: TestForge, mutation: string, input: object) =>
  request(forge)("POST", "/graphql", {
    query: `mutation ($input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { __typename } }`,
    variables: { input }
  })

/** Causes all actions in a repository. Types exist in organizations only. */
const causeAll = async (forge: TestForge, owner: string, hasTypes: boolean) => {
  const repository = `${owner}/hello`
  const base = `/repos/${repository}`
  const ask = request(forge)
  for (const name of hasTypes ? ["Task", "Bug", "Feature"] : []) {
    await ask("POST", `/orgs/${owner}/issue-types`, { name, is_enabled: true, color: name === "Bug" ? "red" : null })
  }
  await ask("POST", `${base}/labels`, { name: "rope", color: "00ff00" })
  await ask("PATCH", `${base}/labels/rope`, { new_name: "sail", color: "ff0000", description: "Of cloth" })
  await ask("PATCH", `${base}/labels/sail`, { description: "Of wool" })
  const { number: milestone } = await ask("POST", `${base}/milestones`, { title: "Summer" })
  const ofMilestone = `${base}/milestones/${milestone}`
  await ask("PATCH", ofMilestone, { title: "July", description: "Warm", due_on: "2027-07-01T00:00:00Z" })
  await ask("PATCH", ofMilestone, { state: "closed" })
  await ask("PATCH", ofMilestone, { state: "open" })

  await ask("POST", `${base}/issues`, { title: "Without a text" })
  const full = {
    title: "With everything",
    body: "A text that mentions @mate and #1",
    labels: ["sail"],
    milestone,
    assignees: ["mate"],
    ...(hasTypes ? { type: "Task" } : {})
  }
  for (const own of [{ title: "Plain" }, full]) {
    const { id, node_id, number } = await ask("POST", `${base}/issues`, own)
    const issue = `${base}/issues/${number}`
    await ask("PATCH", issue, { title: `${own.title}, edited` })
    await ask("PATCH", issue, { body: "Another text" })
    await ask("PATCH", issue, { title: "Both", body: "Both" })
    await ask("PATCH", issue, { body: null })
    await ask("POST", `${issue}/labels`, { labels: ["sail", "anchor"] })
    await ask("DELETE", `${issue}/labels/sail`)
    await ask("DELETE", `${issue}/labels`)
    await ask("POST", `${issue}/assignees`, { assignees: [owner === "acme" ? "mate" : owner, "mate"] })
    await ask("DELETE", `${issue}/assignees`, { assignees: ["mate"] })
    await ask("PATCH", issue, { milestone })
    await ask("PATCH", issue, { milestone: null })
    if (hasTypes) {
      await ask("PATCH", issue, { type: "Bug" })
      await ask("PATCH", issue, { type: "Feature" })
      await ask("PATCH", issue, { type: null })
    }
    await ask("PATCH", issue, { state: "closed", state_reason: "not_planned", milestone })
    await ask("PATCH", issue, { state: "open" })
    await ask("PATCH", issue, { state: "closed" })
    await ask("PUT", `${issue}/lock`, { lock_reason: "too heated" })
    await ask("DELETE", `${issue}/lock`)
    await ask("PUT", `${issue}/lock`)
    await mutate(forge, "pinIssue", { issueId: node_id })
    await mutate(forge, "unpinIssue", { issueId: node_id })
    const comment = await ask("POST", `${issue}/comments`, { body: "First" })
    await ask("PATCH", `${base}/issues/comments/${comment.id}`, { body: "Second" })
    await ask("PUT", `${base}/issues/comments/${comment.id}/pin`)
    await ask("DELETE", `${base}/issues/comments/${comment.id}/pin`)
    await ask("POST", `${base}/issues/comments/${comment.id}/reactions`, { content: "heart" })
    await ask("PUT", `${base}/issues/comments/${comment.id}/pin`)
    await ask("DELETE", `${base}/issues/comments/${comment.id}`)
    for (const where of [base, `/repos/${owner}/other`]) {
      const other = await ask("POST", `${where}/issues`, { ...own, title: "Other", milestone: null })
      await ask("POST", `${issue}/sub_issues`, { sub_issue_id: other.id })
      await ask("DELETE", `${issue}/sub_issue`, { sub_issue_id: other.id })
      await ask("POST", `${issue}/dependencies/blocked_by`, { issue_id: other.id })
      await ask("DELETE", `${issue}/dependencies/blocked_by/${other.id}`)
      await ask("POST", `/repos/${where === base ? repository : `${owner}/other`}/issues/${other.number}/sub_issues`, {
        sub_issue_id: id,
        replace_parent: true
      })
    }
    const { node_id: target } = await ask("GET", `/repos/${owner}/other`)
    await mutate(forge, "transferIssue", { issueId: node_id, repositoryId: target })
    const doomed = await ask("POST", `${base}/issues`, { ...own, title: "Doomed" })
    await mutate(forge, "deleteIssue", { issueId: doomed.node_id })
  }
  await ask("DELETE", `${base}/labels/sail`)
  await ask("DELETE", ofMilestone)
}

/** Causes all actions of the reviews of a pull request, which `mate` writes. */
const causeReviews = async (forge: TestForge, owner: string) => {
  const base = `/repos/${owner}/hello`
  const ask = request(forge)
  const mate = request({ ...forge, owner: { login: "mate", token: await forge.token({ user: "mate" }) } })
  const { object } = await ask("GET", `${base}/git/ref/heads/main`)
  await ask("POST", `${base}/git/refs`, { ref: "refs/heads/fix", sha: object.sha })
  const content = Buffer.from("one\ntwo\n").toString("base64")
  const { commit } = await ask("PUT", `${base}/contents/notes.txt`, { message: "Notes", content, branch: "fix" })
  const { number } = await ask("POST", `${base}/pulls`, { title: "Notes", head: "fix", base: "main" })
  const pull = `${base}/pulls/${number}`
  const reviewers = { reviewers: ["mate"], ...(owner === "acme" ? { team_reviewers: ["reviewers"] } : {}) }
  await ask("POST", `${pull}/requested_reviewers`, reviewers)
  await ask("DELETE", `${pull}/requested_reviewers`, reviewers)
  for (const event of ["COMMENT", "APPROVE", "REQUEST_CHANGES"]) {
    const review = await mate("POST", `${pull}/reviews`, { event, body: "Good" })
    await mate("PUT", `${pull}/reviews/${review.id}`, { body: "Better" })
    if (event !== "COMMENT") await ask("PUT", `${pull}/reviews/${review.id}/dismissals`, { message: "stale" })
  }
  await mate("POST", `${pull}/reviews`, { event: "APPROVE" })
  const places = [{ line: 2, start_line: 1, start_side: "RIGHT" }, { line: 1 }, { subject_type: "file" }]
  for (const place of places) {
    const own = { body: "Why?", commit_id: commit.sha, path: "notes.txt", side: "RIGHT", ...place }
    const comment = await ask("POST", `${pull}/comments`, own)
    const reply = await mate("POST", `${pull}/comments/${comment.id}/replies`, { body: "Because" })
    const query = `{ repository(owner: "${owner}", name: "hello") { pullRequest(number: ${number}) {
      reviewThreads(last: 1) { nodes { id } } } } }`
    const { data } = await ask("POST", "/graphql", { query })
    const [{ id: threadId }] = data.repository.pullRequest.reviewThreads.nodes
    await mutate(forge, "resolveReviewThread", { threadId })
    await mutate(forge, "unresolveReviewThread", { threadId })
    for (const { id } of [comment, reply]) {
      await ask("PATCH", `${base}/pulls/comments/${id}`, { body: "Oh" })
      await ask("DELETE", `${base}/pulls/comments/${id}`)
    }
  }
}

/** Causes all actions of teams and members in an organization. */
const causeInOrganization = async (forge: TestForge, org: string, member: string) => {
  const ask = request(forge)
  await ask("POST", `/orgs/${org}/teams`, { name: "Crew", privacy: "closed", repo_names: [`${org}/hello`] })
  await ask("PUT", `/orgs/${org}/teams/crew/repos/${org}/hello`, { permission: "push" })
  await ask("POST", `/orgs/${org}/teams`, { name: "Deck", parent_team_id: 1 })
  await ask("PUT", `/orgs/${org}/teams/deck/memberships/${member}`, {})
  await ask("PATCH", `/orgs/${org}/teams/deck`, {
    name: "Upper deck",
    description: "In the sun",
    notification_setting: "notifications_disabled",
    parent_team_id: null
  })
  await ask("PATCH", `/orgs/${org}/teams/upper-deck`, { privacy: "secret" })
  await ask("DELETE", `/orgs/${org}/teams/upper-deck/memberships/${member}`)
  await ask("DELETE", `/orgs/${org}/teams/crew/repos/${org}/hello`)
  await ask("DELETE", `/orgs/${org}/teams/crew`)
  await ask("DELETE", `/orgs/${org}/members/${member}`)
  await ask("PUT", `/orgs/${org}/memberships/${member}`, { role: "admin" })
  const token = await forge.token({ user: member })
  await request({ ...forge, owner: { login: member, token } })("PATCH", `/user/memberships/orgs/${org}`, {
    state: "active"
  })
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Causes all actions of an app's installations on the organization, by the app itself and by an owner. */
const causeInstallations = async (forge: TestForge) => {
  const permissions = { metadata: "read", contents: "read" } as const // literal types
  const app = await forge.app({
    account: "acme",
    slug: "robot",
    repositories: ["acme/hello"],
    permissions,
    webhook: {}
  })
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: "RS256" })}.${part({ iss: app.id, iat: now - 60, exp: now + 540 })}`
  const signature = sign("sha256", Buffer.from(text), app.privateKey).toString("base64url")
  const asApp = async (method: string, path: string) => {
    const { status } = await fetch(`${forge.url}/app/installations/${app.installationId}${path}`, {
      method,
      headers: { authorization: `Bearer ${text}.${signature}`, "user-agent": "test" }
    })
    expect(status, `${method} ${path}`).toBe(204)
  }
  const install = async (selection: string) => {
    const { status } = await fetch(`${forge.url}/apps/robot/installations/new`, {
      method: "POST",
      headers: { "user-agent": "test" },
      body: new URLSearchParams({
        account: "acme",
        selection,
        repositories: "hello",
        token: forge.owner.token
      })
    })
    expect(status, selection).toBe(200)
  }
  await asApp("PUT", "/suspended")
  await asApp("DELETE", "/suspended")
  await asApp("DELETE", "")
  await install("selected")
  await forge.add({ apps: [{ slug: "robot", permissions: { ...permissions, issues: "read" } }] })
  await install("all")
  await install("selected")
}

/** Causes all actions of custom properties. */
const causeProperties = async (forge: TestForge) => {
  const ask = request(forge)
  const select = { value_type: "multi_select", allowed_values: ["gold", "silver"] }
  const schema = "/orgs/acme/properties/schema"
  await ask("PUT", `${schema}/tier`, { ...select, required: true, default_value: ["silver"] })
  await ask("PUT", `${schema}/tier`, { ...select, description: "How soon" })
  await ask("PUT", `${schema}/team`, { value_type: "string" })
  const properties = [
    { property_name: "tier", value: ["gold", "silver"] },
    { property_name: "team", value: "lamp" }
  ]
  await ask("PATCH", "/repos/acme/hello/properties/values", { properties })
  await ask("PATCH", "/orgs/acme/properties/values", {
    repository_names: ["hello"],
    properties: [{ property_name: "team", value: null }]
  })
  await ask("DELETE", `${schema}/team`)
}

/** Causes all actions of runs. */
const causeRuns = async (forge: TestForge, owner: string) => {
  const ask = request(forge)
  const base = `/repos/${owner}/hello`
  const workflow = ".github/workflows/run.yml"
  await forge.repo(`${owner}/hello`).commit({ [workflow]: "on: { workflow_dispatch: { inputs: { a: {} } } }" })
  await ask("POST", `${base}/actions/workflows/run.yml/dispatches`, { ref: "main", inputs: { a: "b" } })
  const { workflow_runs } = await ask("GET", `${base}/actions/runs`)
  const report = (status: object) =>
    ask("POST", `/tongs${base}/runs`, { run_id: workflow_runs[0].id, jobs: [{ name: "build", ...status }] })
  await report({ status: "waiting" })
  await report({ status: "in_progress", steps: [{ name: "make", status: "in_progress" }], runner_name: "mate" })
  await report({ conclusion: "success", steps: [{ name: "make", conclusion: "success" }] })
  await ask("POST", `${base}/actions/runs/${workflow_runs[0].id}/rerun`, {})
}

/** Causes all actions of deployments. `mate` reviews those of two runs, for which an app has a custom rule. */
const causeDeployments = async (forge: TestForge, owner: string, integration_id?: number) => {
  const ask = request(forge)
  const base = `/repos/${owner}/hello`
  const mate = request({ ...forge, owner: { login: "mate", token: await forge.token({ user: "mate" }) } })
  const { id } = await ask("GET", "/users/mate")
  const production = `${base}/environments/production`
  const environment = await ask("PUT", production, { reviewers: [{ type: "User", id }] })
  if (integration_id !== undefined) await ask("POST", `${production}/deployment_protection_rules`, { integration_id })
  const { sha: head_sha } = await ask("GET", `${base}/commits/main`)
  const jobs = [{ name: "deploy", environment: "production" }]
  const report = { workflow: ".github/workflows/run.yml", head_sha, head_branch: "main", jobs }
  for (const state of ["approved", "rejected"]) {
    const { run } = await ask("POST", `/tongs${base}/runs`, report)
    const review = { environment_ids: [environment.id], state, comment: "Seen" }
    await mate("POST", `${base}/actions/runs/${run.id}/pending_deployments`, review)
  }
  const own = { ref: "main", environment: "staging", required_contexts: [], payload: { a: 1 } }
  const deployment = await ask("POST", `${base}/deployments`, own)
  const status = { state: "success", log_url: "https://ci.example.com" }
  await ask("POST", `${base}/deployments/${deployment.id}/statuses`, status)
  await ask("POST", `${base}/dispatches`, { event_type: "tide", client_payload: { height: 3 } })
}

/** Causes all actions of releases. */
const causeReleases = async (forge: TestForge, owner: string) => {
  const ask = request(forge)
  const releases = `/repos/${owner}/hello/releases`
  const draft = await ask("POST", releases, { tag_name: "v1", draft: true, prerelease: true })
  const first = `${releases}/${draft.id}`
  await ask("PATCH", first, { draft: false })
  await ask("PATCH", first, { name: "One", body: "First", prerelease: false })
  await ask("PATCH", first, { prerelease: true })
  await ask("DELETE", first)
  const second = await ask("POST", releases, { tag_name: "v2", name: "Two", body: "Second" })
  await ask("PATCH", `${releases}/${second.id}`, { draft: true })
}

describe("deliveries", () => {
  let forge: TestForge
  beforeAll(async () => {
    forge = await startForge()
    await forge.user("mate")
    await forge.organization("acme", { members: ["mate"] })
    for (const owner of ["sailor", "acme"]) {
      for (const name of ["hello", "other"]) {
        const repository = `${owner}/${name}`
        await forge.repo(repository).commit({ "README.md": name })
        await forge.add({ collaborators: [{ repository, login: "mate", permission: "write" }] })
      }
      await forge.webhook(`${owner}/hello`, { events: ["*"] })
    }
    await forge.webhook("acme", { events: ["*"] })
    await causeAll(forge, "sailor", false)
    await causeAll(forge, "acme", true)
    await causeInOrganization(forge, "acme", "mate")
    const repositories = [{ repository: "acme/hello", permission: "write" as const }]
    await forge.add({ teams: [{ organization: "acme", name: "Reviewers", repositories }] })
    await causeReviews(forge, "sailor")
    await causeReviews(forge, "acme")
    await causeRuns(forge, "sailor")
    await causeRuns(forge, "acme")
    const gate = await forge.app({
      account: "acme",
      slug: "gate",
      permissions: { deployments: "write" },
      events: ["deployment_protection_rule"],
      webhook: {}
    })
    await causeDeployments(forge, "sailor")
    await causeDeployments(forge, "acme", gate.id)
    await causeReleases(forge, "sailor")
    await causeReleases(forge, "acme")
    const app = await forge.app({ account: "sailor", permissions: { issues: "write" }, events })
    await forge.webhook("sailor/hello", { app, events: ["*"] })
    await causeInstallations(forge)
    await causeProperties(forge)
    await forge.issue("sailor/hello", "Silent")
    await forge.settled()
  })
  afterAll(() => forge.close())

  it("has every action of the schemas", () => {
    const seen = new Set(forge.webhooks.map(nameOf))
    expect(actions.filter((name) => !seen.has(name))).toEqual(Object.keys(missing))
  })

  it.each(actions.filter((name) => !(name in missing)))("%s", (name) => {
    const schema = GitHubOpenApi.deliveries.get(name) ?? false
    const deliveries = forge.webhooks.filter((delivery) => nameOf(delivery) === name)
    expect(deliveries.length).toBeGreaterThan(0)
    const found = new Set(
      deliveries.flatMap(({ payload }) => GitHubOpenApi.problems(`delivery ${name}`, schema, payload))
    )
    const allowed = (problem: string) =>
      exceptions.some((one) => one.deliveries.test(name) && one.problem.test(problem))
    expect([...found].filter((problem) => !allowed(problem))).toEqual([])
  })

  it("leaves out the private repository to which an issue is transferred", async () => {
    await forge.repo("sailor/vault", { private: true })
    const [first] = await request(forge)("GET", "/repos/sailor/hello/issues")
    const { node_id } = await request(forge)("GET", "/repos/sailor/vault")
    const before = forge.webhooks.length
    await mutate(forge, "transferIssue", { issueId: first.node_id, repositoryId: node_id })
    await forge.settled()
    const deliveries = forge.webhooks.slice(before)
    expect(deliveries.map(nameOf)).toEqual(["issues.transferred"])
    for (const { body } of deliveries) expect(body).not.toContain("vault")
  })

  it("has the names of the dialect", () => {
    const others = forge.webhooks.filter(({ body }) => body.includes('"avatar_service_id"'))
    expect(others.map(nameOf)).toEqual([])
  })

  it("has no unknown action of these events", () => {
    const names = new Set(forge.webhooks.map(nameOf).filter((name) => events.includes(name.split(".")[0] ?? "")))
    expect([...names].filter((name) => !actions.includes(name))).toEqual([])
  })
})
