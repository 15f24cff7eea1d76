/** A forge with issues that were made over REST, and explorers of several of its users. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { launch } from "./ExplorerBrowser.test-support.ts"
import { git, type JsonResponse, request, serve } from "./ForgeProcess.test-support.ts"
import { temporaryFolder } from "./TongsCommand.test-support.ts"

const users = ["ann", "bob", "eve"] as const // literal types

type User = (typeof users)[number]

const tokenOf = (user: User): string => `ghp_${user.repeat(12)}`

/** Starts a forge with the public repository `acme/buoys` and the private `acme/vault`, which `eve` cannot read. */
export const start = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const path = join(root, "buoys.git")
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const chart = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>'
  const files = `M 644 inline README.md\ndata 8\n# Buoys\n\nM 644 inline chart.svg\ndata ${chart.length}\n${chart}\n`
  const commit = "commit refs/heads/main\ncommitter Ann <ann@example.org> 1700000000 +0000\ndata 5\nStart\n"
  git(path, ["fast-import", "--quiet"], commit + files)
  const fixtures = {
    users: users.map((login) => ({ login })),
    organizations: [{ login: "acme", members: [{ login: "ann", role: "owner" }, { login: "bob" }] }],
    tokens: users.map((user) => ({
      token: tokenOf(user),
      user,
      kind: "classic",
      scopes: ["repo", "workflow", "admin:org"]
    })),
    repositories: [
      { full_name: "acme/buoys", git: path },
      { full_name: "acme/vault", private: true }
    ],
    issue_types: [{ organization: "acme", name: "Bug", color: "red" }]
  }
  writeFileSync(join(root, "fixtures.json"), JSON.stringify(fixtures))
  const forge = await serve(root, "--fixtures", join(root, "fixtures.json"))
  /** Sends a request of a user, and returns the body of the response. */
  const send = async (user: User, method: string, path: string, body?: unknown): Promise<JsonResponse["json"]> => {
    const { json, status } = await request({ ...forge, token: tokenOf(user) }, method, path, body)
    assert.include([200, 201, 204], status, `${method} ${path}: ${JSON.stringify(json)}`)
    return json
  }
  return {
    forge,
    head: git(path, ["rev-parse", "main"]).trim(),
    send,
    /** Starts an explorer of a user. It ends with the test. */
    explorer: async (user: User) => {
      const explorer = await launch(["--url", forge.url], { TONGS_TOKEN: tokenOf(user) })
      onTestFinished(explorer.close)
      return explorer
    }
  }
}

export type IssueForge = Awaited<ReturnType<typeof start>>

/** Creates an issue with all that a page can show, and returns its number and a comment of it. */
export const createStory = async ({ head, send }: IssueForge) => {
  const base = "/repos/acme/buoys"
  const issue = (title: string, more: object = {}) => send("ann", "POST", `${base}/issues`, { title, ...more })
  for (const [name, color, description] of [
    ["night", "000000", "Only at night"],
    ["fog", "ffffff", ""],
    ["bell", "d73a4a", null]
  ] as const)
    // triples
    await send("ann", "POST", `${base}/labels`, { name, color, description })
  await send("ann", "POST", `${base}/milestones`, { title: "Before the storm" })
  const fleet = await issue("Check the whole fleet")
  const story = await issue(`The bell rings in calm weather: ${"w".repeat(120)} 灯台の鐘が鳴る`, {
    body: [
      "The bell of **buoy 7** rings.",
      `See #${fleet.number}, @bob and ${head}.`,
      "- [x] heard\n- [ ] seen",
      "```ts\nconst bell = 7 // a line of code that is wider than a phone, which has room for forty characters\n```",
      "| buoy | rings |\n|-|-|\n| 7 | yes |",
      "![chart](chart.svg) and [the manual](README.md)"
    ].join("\n\n"),
    labels: ["night", "fog"],
    assignees: ["bob"],
    milestone: 1,
    type: "Bug"
  })
  const at = `${base}/issues/${story.number}`
  const parts = [await issue("Oil the clapper"), await issue("Tie the clapper")]
  await send("ann", "POST", `${base}/issues/${fleet.number}/sub_issues`, { sub_issue_id: story.id })
  for (const { id } of parts) await send("ann", "POST", `${at}/sub_issues`, { sub_issue_id: id })
  await send("ann", "PATCH", `${base}/issues/${parts[0].number}`, { state: "closed" })
  const blocker = await issue("Wait for calm weather")
  await send("ann", "POST", `${at}/dependencies/blocked_by`, { issue_id: blocker.id })
  const comment = await send("eve", "POST", `${at}/comments`, { body: "I hear it **at home**." })
  await send("ann", "POST", `${at}/labels`, { labels: ["bell"] })
  await send("ann", "DELETE", `${at}/labels/fog`)
  await send("ann", "POST", `${at}/assignees`, { assignees: ["ann"] })
  await send("ann", "DELETE", `${at}/assignees`, { assignees: ["bob"] })
  for (const content of ["+1", "heart"]) await send("ann", "POST", `${at}/reactions`, { content })
  await send("bob", "POST", `${at}/reactions`, { content: "+1" })
  await send("bob", "POST", `${base}/issues/comments/${comment.id}/reactions`, { content: "rocket" })
  await send("ann", "PATCH", at, { title: `${story.title}!` })
  await issue("Another bell", { body: `Like #${story.number}` })
  await send("bob", "POST", `${at}/comments`, { body: `Quiet since noon, see ${comment.html_url}` })
  await send("ann", "PATCH", at, { state: "closed", state_reason: "not_planned" })
  await send("ann", "PATCH", at, { state: "open" })
  await send("ann", "PATCH", at, { state: "closed", state_reason: "completed" })
  await send("ann", "PUT", `${at}/lock`, { lock_reason: "resolved" })
  return { number: Number(story.number), title: `${story.title}!`, url: String(story.html_url), comment, fleet }
}
