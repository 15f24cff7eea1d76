/** @octokit/rest calls all groups of the contract over HTTP, and Octokit's webhook library verifies deliveries. */
import { mkdirSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { join } from "node:path"
import { verify } from "@octokit/webhooks-methods"
import { expect, it } from "vitest"
import { write } from "../conformance/ConformanceFixture.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"
import { temporaryFolder, git, serve } from "./ForgeProcess.test-support.ts"
import { TIMEOUT, httpServer } from "./TongsCommand.test-support.ts"

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A webhook receiver on loopback. */
const receive = async () => {
  const received: Array<Received> = []
  const address = await httpServer(({ headers, url = "" }, body, response) => {
    received.push({ path: url, headers, body })
    response.end("thanks")
  })
  const arrival = (at: string, event: string) =>
    expect
      .poll(() => received.find(({ headers, path }) => path === at && headers["x-github-event"] === event), {
        timeout: TIMEOUT
      })
      .toBeDefined()
  return { url: address, received, arrival }
}

const setUp = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const receiver = await receive()
  const world = write(root, receiver.url)
  const flags = [
    "--dialect",
    "github",
    "--fixtures",
    world.file,
    "--allow-local-webhooks",
    "--search-deadline",
    "60000"
  ]
  const { url } = await serve(root, ...flags)
  const as = (token: string) => octokitFor({ token, url })
  return { world, receiver, as, octokit: as("olive") }
}

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }: { readonly status: number }) => status
  )

const at = { owner: "harbor", repo: "hello" }
const ORG = "harbor"
const one = { per_page: 1 }

it("repositories, git data, comments, artifacts, events, search", async () => {
  const { as, octokit, world } = await setUp()
  const { actions, activity, git: data, pulls, repos, search, users } = octokit.rest

  expect((await octokit.rest.meta.root()).data.current_user_url).toMatch(/\/api\/v3\/user$/)
  expect((await users.getByUsername({ username: "piers" })).data.name).toBe("Piers Quay")
  const mine = await octokit.paginate(repos.listForAuthenticatedUser, one)
  expect(mine.map(({ full_name }) => full_name).toSorted()).toEqual([
    "harbor/empty",
    "harbor/hello",
    "harbor/secret",
    "olive/hello",
    "olive/own"
  ])
  const names = async (call: Promise<{ readonly data: ReadonlyArray<{ readonly full_name: string }> }>) =>
    (await call).data.map(({ full_name }) => full_name).toSorted()
  expect(await names(repos.listForOrg({ org: ORG, type: "public" }))).toEqual(["harbor/empty", "harbor/hello"])
  expect(await names(repos.listForOrg({ org: ORG, type: "private" }))).toEqual(["harbor/secret"])
  expect(await names(repos.listForOrg({ org: ORG, type: "forks" }))).toEqual([])
  expect(await names(repos.listForAuthenticatedUser({ type: "owner" }))).toEqual(["olive/hello", "olive/own"])
  expect(await names(repos.listForAuthenticatedUser({ type: "private" }))).toEqual(["harbor/secret"])
  const shared = { visibility: "public", affiliation: "organization_member" } as const // literal names
  expect(await names(repos.listForAuthenticatedUser(shared))).toEqual(["harbor/empty", "harbor/hello"])
  const piers = as("piers").rest.repos
  expect(await names(piers.listForAuthenticatedUser({ affiliation: "collaborator" }))).toEqual(["harbor/hello"])
  expect(await status(repos.listForAuthenticatedUser({ affiliation: "collaborator", type: "owner" }))).toBe(422)
  expect(await status(repos.listForAuthenticatedUser({ affiliation: "friend" }))).toBe(422)
  expect(await names(repos.listForUser({ username: "piers", type: "member" }))).toEqual(["harbor/hello"])
  expect(await names(repos.listForUser({ username: "piers", type: "owner" }))).toEqual([])
  expect(await status(as("nell").rest.repos.get({ owner: ORG, repo: "secret" }))).toBe(404)
  const made = await repos.createInOrg({ org: ORG, name: "made", auto_init: true })
  expect((await repos.update({ owner: ORG, repo: "made", description: "Made" })).data.id).toBe(made.data.id)
  expect((await repos.delete({ owner: ORG, repo: "made" })).status).toBe(204)
  expect(await status(repos.get({ owner: ORG, repo: "made" }))).toBe(404)

  const branches = await octokit.paginate(repos.listBranches, { ...at, ...one })
  expect(branches.map(({ name }) => name)).toEqual(["clash", "main", "old", "side"])
  expect((await octokit.paginate(repos.listTags, { ...at, ...one })).map(({ name }) => name).toSorted()).toEqual([
    "light",
    "v1"
  ])
  const refs = await data.listMatchingRefs({ ...at, ref: "tags/" })
  expect(refs.data.map(({ object }) => object.type)).toEqual(["commit", "tag"])
  expect((await data.getTag({ ...at, tag_sha: world.names["{tag}"] ?? "" })).data.message).toContain("The first season")
  const tree = await data.getTree({ ...at, tree_sha: "main", recursive: "1" })
  expect(tree.data.tree.map(({ path }) => path)).toContain("docs/manual.md")
  const readme = await repos.getContent({ ...at, path: "README.md", mediaType: { format: "raw" } })
  expect(readme.data).toBe("# Hello\n\nships\n")
  const commits = await octokit.paginate(repos.listCommits, { ...at, ...one })
  expect(commits.map(({ sha }) => sha)).toEqual(git(world.path, ["rev-list", "main"]).split("\n"))
  expect((await search.code({ q: "ahoy repo:harbor/hello" })).data.items.map(({ path }) => path).toSorted()).toEqual([
    "docs/manual.md",
    "src/greet.ts"
  ])

  const comments = await octokit.paginate(repos.listCommitCommentsForRepo, { ...at, ...one })
  expect(comments.map(({ id }) => id)).toEqual([11, 12, 13])
  const reviews = await octokit.paginate(pulls.listReviewCommentsForRepo, { ...at, ...one, sort: "created" })
  expect(reviews.map(({ id }) => id)).toEqual([21, 22])
  const artifacts = await octokit.paginate(actions.listArtifactsForRepo, { ...at, ...one })
  expect(artifacts.map(({ name }) => name).toSorted()).toEqual(["old", "report", "spare"])
  const events = await octokit.paginate(activity.listRepoEvents, { ...at, ...one })
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["WatchEvent", "PushEvent", "DeleteEvent"]))
  expect((await activity.listPublicOrgEvents({ org: ORG })).data.length).toBeGreaterThan(0)
  expect((await activity.listReceivedEventsForUser({ username: "olive" })).status).toBe(200)
})

it("an organization's settings, limits, bills, insights, rulesets and projects", async () => {
  const { as, octokit } = await setUp()
  const { actions, billing, repos } = octokit.rest
  const policy = { org: ORG, enabled_repositories: "all", allowed_actions: "local_only" } as const // literal names

  expect((await actions.setGithubActionsPermissionsOrganization(policy)).status).toBe(204)
  const permissions = await actions.getGithubActionsPermissionsOrganization({ org: ORG })
  expect(permissions.data.allowed_actions).toBe("local_only")
  expect(await status(as("piers").rest.actions.getGithubActionsPermissionsOrganization({ org: ORG }))).toBe(403)
  await octokit.request("PUT /enterprises/{enterprise}/actions/cache/retention-limit", {
    enterprise: "coast",
    max_cache_retention_days: 20
  })
  const above = { org: ORG, max_cache_retention_days: 21 }
  expect(await status(octokit.request("PUT /organizations/{org}/actions/cache/retention-limit", above))).toBe(400)

  const usage = await billing.getGithubBillingUsageReportOrg({ org: ORG })
  expect(usage.data.usageItems?.map(({ product }) => product)).toContain("Actions")
  const premium = await billing.getGithubBillingPremiumRequestUsageReportOrg({ org: ORG, user: "piers" })
  expect(premium.data.usageItems.map(({ grossQuantity }) => grossQuantity)).toEqual([12])
  const summary = await octokit.request("GET /orgs/{org}/insights/api/summary-stats", {
    org: ORG,
    min_timestamp: "2020-01-01T00:00:00Z"
  })
  expect(summary.data.total_request_count).toBeGreaterThanOrEqual(3)
  const routes = await octokit.request("GET /orgs/{org}/insights/api/subject-stats", {
    org: ORG,
    min_timestamp: "2020-01-01T00:00:00Z"
  })
  expect(routes.data.length).toBeGreaterThan(0)

  const ruleset = await repos.createOrgRuleset({
    org: ORG,
    name: "No tags go",
    target: "tag",
    enforcement: "active",
    conditions: {
      ref_name: { include: ["~ALL"], exclude: [] },
      repository_name: { include: ["~ALL"], exclude: [] }
    },
    rules: [{ type: "deletion" }]
  })
  expect(ruleset.data.name).toBe("No tags go")
  const rulesets = await octokit.paginate(repos.getOrgRulesets, { org: ORG, ...one })
  expect(rulesets.map(({ name }) => name)).toContain("No tags go")
  const found = await repos.getOrgRuleset({ org: ORG, ruleset_id: ruleset.data.id })
  expect(found.data.rules).toEqual([{ type: "deletion" }])
  expect(await status(octokit.rest.git.deleteRef({ ...at, ref: "tags/light" }))).toBe(422)
  const view = { org: ORG, project_number: 1, name: "All", layout: "board" as const } // a literal name
  expect((await octokit.request("POST /orgs/{org}/projectsV2/{project_number}/views", view)).status).toBe(201)
  const configuration = await octokit.request("GET /repos/{owner}/{repo}/copilot/cloud-agent/configuration", at)
  expect(configuration.data.custom_allowlist).toEqual(["charts.harbor.example"])
})

it("keys, blocks and installations", async () => {
  const { as, octokit } = await setUp()
  const { apps, users } = octokit.rest

  const keys = await octokit.paginate(users.listPublicSshKeysForAuthenticatedUser, one)
  expect(keys.map(({ title }) => title)).toEqual(["lamp", "spare"])
  expect(await status(users.createPublicSshKeyForAuthenticatedUser({ key: keys[0]?.key ?? "" }))).toBe(422)
  await users.deletePublicSshKeyForAuthenticatedUser({ key_id: keys[1]?.id ?? 0 })
  expect((await users.listPublicKeysForUser({ username: "olive" })).data).toHaveLength(1)

  expect(await status(users.checkBlocked({ username: "piers" }))).toBe(404)
  await users.block({ username: "piers" })
  expect(await status(users.checkBlocked({ username: "piers" }))).toBe(200)
  const blocked = await octokit.paginate(users.listBlockedByAuthenticatedUser, one)
  expect(blocked.map(({ login }) => login).toSorted()).toEqual(["nell", "piers"])
  await users.unblock({ username: "piers" })

  const installations = await octokit.paginate(apps.listInstallationsForAuthenticatedUser, one)
  expect(installations.map(({ id }) => id)).toEqual(expect.arrayContaining([90, 91]))
  const app = as("spent")
  const reached = await app.paginate(app.rest.apps.listReposAccessibleToInstallation, one)
  expect(reached.map(({ full_name }) => full_name)).toEqual(["harbor/hello"])
  await app.rest.apps.revokeInstallationAccessToken()
  expect(await status(app.rest.apps.listReposAccessibleToInstallation())).toBe(401)
})

it("webhooks: @octokit/webhooks-methods verifies the signatures of deliveries", async () => {
  const { octokit, receiver, world } = await setUp()
  const { orgs, repos } = octokit.rest
  const secret = "Größe 🌍"
  const hook = await repos.createWebhook({
    ...at,
    config: { url: `${receiver.url}/new`, content_type: "json", secret },
    events: ["create", "push"]
  })
  expect(hook.data.config.secret).toBe("********")
  await receiver.arrival("/new", "ping")
  await octokit.rest.git.createRef({ ...at, ref: "refs/heads/größe", sha: world.names["{commit}"] ?? "" })
  await receiver.arrival("/new", "create")

  const mine = receiver.received.filter(({ path }) => path === "/new")
  expect(new Set(mine.map(({ headers }) => headers["x-github-event"]))).toContain("create")
  for (const { body, headers } of mine) {
    const signature = String(headers["x-hub-signature-256"])
    expect(await verify(secret, body, signature)).toBe(true)
    expect(await verify("another", body, signature)).toBe(false)
    expect(await verify(secret, `${body} `, signature)).toBe(false)
  }

  const list = () => repos.listWebhookDeliveries({ ...at, hook_id: hook.data.id, per_page: 100 })
  const patiently = { timeout: TIMEOUT }
  const created = async () => (await list()).data.find(({ event }) => event === "create")?.status_code
  await expect.poll(created, patiently).toBe(200)
  const delivery = (await list()).data.find(({ event }) => event === "create")
  const delivery_id = delivery?.id ?? 0
  const found = await repos.getWebhookDelivery({ ...at, hook_id: hook.data.id, delivery_id })
  expect(found.data.request.payload).toMatchObject({ ref: "größe", ref_type: "branch" })
  expect((await repos.redeliverWebhookDelivery({ ...at, hook_id: hook.data.id, delivery_id })).status).toBe(202)
  await expect
    .poll(async () => (await list()).data.filter(({ guid }) => guid === delivery?.guid).length, patiently)
    .toBe(2)

  expect((await orgs.listWebhooks({ org: ORG })).data.map(({ id }) => id)).toEqual([2, 4])
  expect((await orgs.pingWebhook({ org: ORG, hook_id: 2 })).status).toBe(204)
  await expect.poll(() => receiver.received.some(({ path }) => path === "/organization"), patiently).toBe(true)
  await repos.deleteWebhook({ ...at, hook_id: hook.data.id })
  expect(await status(repos.getWebhook({ ...at, hook_id: hook.data.id }))).toBe(404)
})
