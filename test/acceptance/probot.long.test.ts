/** Apps of Probot, unmodified, act on a forge by its webhooks and with tokens of their installation. */
import { describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { registerApp, runProbot, tlsProxy } from "./Probot.test-support.ts"
import { TIMEOUT } from "./TongsCommand.test-support.ts"
import { install, probot, REPOSITORY, serveTools } from "./Tools.test-support.ts"

const [OWNER = ""] = REPOSITORY.split("/")

const [LEAKS, CREAKS, ROTS, SINKS] = [1, 2, 3, 4] as const // literal types

interface Comment {
  readonly body: string
  readonly user: { readonly login: string }
}

const names = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name).toSorted()

const stale = hasPrograms("openssl") ? install(probot) : undefined

describe.skipIf(stale === undefined)("npm, registry, openssl: stale", () => {
  it("marks and closes old issues, leaves exempt ones, and unmarks an issue after a comment", async () => {
    const folder = stale ?? ""
    const registration = await registerApp({
      slug: "stale",
      account: OWNER,
      permissions: { issues: "write", pull_requests: "write", contents: "read", metadata: "read" },
      events: ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment"]
    })
    const issue = (number: number, title: string, created_at: string, labels: ReadonlyArray<string> = []) => ({
      repository: REPOSITORY,
      user: "bea",
      number,
      title,
      labels,
      created_at
    })
    const issues = [
      issue(LEAKS, "It leaks", "2024-01-02T03:04:05Z"),
      issue(CREAKS, "It creaks", "2024-01-02T03:04:05Z"),
      issue(ROTS, "It rots", "2024-01-02T03:04:05Z", ["pinned"]),
      issue(SINKS, "It sinks", new Date().toISOString())
    ]
    const labels = [{ repository: REPOSITORY, name: "pinned", color: "ededed" }]
    const { push, root, send, url } = await serveTools(folder, { ...registration.rows, issues, labels }, [
      "--allow-local-webhooks"
    ])
    const config = `daysUntilStale: 30\ndaysUntilClose: 0.00001\nexemptLabels: [pinned]\nstaleLabel: stale
markComment: Nothing happened here.\ncloseComment: Still nothing.\nunmarkComment: Good.\n`
    await push("main", { ".github/stale.yml": config }, "Close old issues")
    const proxy = await tlsProxy(root, url)
    const env = {
      GHE_HOST: proxy.host,
      NODE_EXTRA_CA_CERTS: proxy.cert,
      DISABLE_STATS: "true",
      DISABLE_DELAY: "true"
    }
    const start = () => runProbot(registration, { folder, app: "node_modules/probot-stale/index.js", home: root, env })
    const issueOf = async (number: number) => {
      const { labels, state } = await send("GET", `/issues/${number}`)
      const comments = await send("GET", `/issues/${number}/comments`)
      return [state, ...names(labels), ...comments.map(({ body, user }: Comment) => `${user.login}: ${body}`)]
    }
    const becomes = (number: number, state: ReadonlyArray<string>) =>
      expect.poll(() => issueOf(number), { timeout: TIMEOUT }).toEqual(state)

    const marked = ["open", "stale", "stale[bot]: Nothing happened here."]
    const first = await start()
    await becomes(LEAKS, marked)
    await becomes(CREAKS, marked)
    await send("POST", `/issues/${CREAKS}/comments`, { body: "It still does" })
    const unmarked = ["open", ...marked.slice(2), "ada: It still does", "stale[bot]: Good."]
    await becomes(CREAKS, unmarked)
    await first.stop()

    await start()
    await becomes(LEAKS, ["closed", ...marked.slice(1), "stale[bot]: Still nothing."])
    expect(await issueOf(CREAKS)).toEqual(unmarked)
    expect(await issueOf(ROTS)).toEqual(["open", "pinned"])
    expect(await issueOf(SINKS)).toEqual(["open"])
  })
})

/** Folder of a clone of github.com/repository-settings/app after `npm ci`, because no registry has it. */
const settings = process.env["TONGS_TEST_SETTINGS_APP"]

describe.skipIf(settings === undefined)("TONGS_TEST_SETTINGS_APP: settings", () => {
  it("applies each section of the settings file after a push", async () => {
    const registration = await registerApp({
      slug: "settings",
      account: OWNER,
      permissions: {
        administration: "write",
        contents: "read",
        issues: "write",
        metadata: "read",
        pull_requests: "write",
        environments: "write",
        actions: "write",
        members: "write"
      },
      events: ["push", "repository"]
    })
    const teams = [
      { organization: OWNER, name: "Crew" },
      { organization: OWNER, name: "Guests", repositories: [{ repository: REPOSITORY, permission: "read" }] }
    ]
    const label = (name: string, color: string) => ({ repository: REPOSITORY, name, color })
    const { push, root, send, url } = await serveTools(
      settings ?? "",
      { ...registration.rows, labels: [label("old", "ededed"), label("bug", "ededed")], teams },
      ["--allow-local-webhooks"]
    )
    const env = { GHE_HOST: new URL(url).host, GHE_PROTOCOL: "http" }
    await runProbot(registration, { folder: settings ?? "", app: "index.js", home: root, env })
    const config = `
repository:
  description: Boats of wood
  homepage: https://boats.example
  topics: boats, wood
  has_wiki: false
  allow_squash_merge: true
  allow_merge_commit: false
  delete_branch_on_merge: true
labels:
  - name: bug
    color: "#CC0000"
    description: It fails
  - name: wood
    color: 336699
milestones:
  - title: launch
    description: The first boat
    state: open
collaborators:
  - username: Bea
    permission: push
teams:
  - name: crew
    permission: push
branches:
  - name: main
    protection:
      required_pull_request_reviews:
        required_approving_review_count: 1
        dismiss_stale_reviews: true
        require_code_owner_reviews: true
        dismissal_restrictions: {}
      required_status_checks:
        strict: true
        contexts: [hull]
      enforce_admins: true
      required_linear_history: true
      restrictions:
        apps: []
        users: [ada]
        teams: []
environments:
  - name: production
    wait_timer: 5
    deployment_branch_policy:
      custom_branches: [main, "release/*"]
  - name: staging
    deployment_branch_policy:
      protected_branches: true
rulesets:
  - name: tags
    target: tag
    enforcement: active
    conditions:
      ref_name:
        include: ["refs/tags/v*"]
        exclude: []
    rules:
      - type: deletion
`
    await push("main", { ".github/settings.yml": config }, "Describe the repository")
    const protection = () => send("GET", "/branches/main/protection").catch(() => undefined)
    await expect.poll(protection, { timeout: TIMEOUT }).toMatchObject({
      required_pull_request_reviews: {
        required_approving_review_count: 1,
        dismiss_stale_reviews: true,
        require_code_owner_reviews: true
      },
      required_status_checks: { strict: true, contexts: ["hull"] },
      enforce_admins: { enabled: true },
      required_linear_history: { enabled: true },
      restrictions: { users: [{ login: "ada" }], teams: [], apps: [] }
    })
    const repository = {
      description: "Boats of wood",
      homepage: "https://boats.example",
      has_wiki: false,
      allow_squash_merge: true,
      allow_merge_commit: false,
      delete_branch_on_merge: true,
      topics: ["boats", "wood"]
    }
    await expect.poll(() => send("GET", ""), { timeout: TIMEOUT }).toMatchObject(repository)
    const policies = async () => {
      const { branch_policies } = await send("GET", "/environments/production/deployment-branch-policies")
      return names(branch_policies)
    }
    await expect.poll(policies, { timeout: TIMEOUT }).toEqual(["main", "release/*"])
    expect(await send("GET", "/teams")).toMatchObject([{ slug: "crew", permission: "push" }])
    expect(await send("GET", "/labels")).toMatchObject([
      { name: "bug", color: "cc0000", description: "It fails" },
      { name: "wood", color: "336699" }
    ])
    expect(await send("GET", "/milestones")).toMatchObject([
      { title: "launch", description: "The first boat", state: "open", creator: { login: "settings[bot]" } }
    ])
    expect(await send("GET", "/collaborators?affiliation=direct")).toMatchObject([{ login: "bea", role_name: "write" }])
    expect(await send("GET", "/environments")).toMatchObject({
      environments: [
        { name: "production", protection_rules: [{ wait_timer: 5 }, { type: "branch_policy" }] },
        { name: "staging", deployment_branch_policy: { protected_branches: true } }
      ]
    })
    const [ruleset] = await send("GET", "/rulesets")
    expect(await send("GET", `/rulesets/${ruleset.id}`)).toMatchObject({
      name: "tags",
      target: "tag",
      conditions: { ref_name: { include: ["refs/tags/v*"] } },
      rules: [{ type: "deletion" }]
    })
  })
})
