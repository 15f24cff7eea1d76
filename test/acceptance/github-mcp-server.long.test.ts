/** The tools of GitHub's MCP server 1.10.1 work on a forge. The program must be on the PATH: no registry has it. */
import { describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { request } from "./ForgeProcess.test-support.ts"
import * as GithubMcpServer from "./GithubMcpServer.test-support.ts"
import { REPOSITORY, serveTools, TOKEN } from "./Tools.test-support.ts"

const [OWNER = ""] = REPOSITORY.split("/")

const rows = {
  teams: [{ organization: OWNER, name: "Crew", description: "All aboard", members: [{ login: "ada" }] }],
  issue_types: [{ organization: OWNER, name: "Bug", description: "It fails", color: "red" }],
  tokens: [
    { token: TOKEN, user: "ada", scopes: ["repo", "workflow", "read:org", "user", "notifications"] },
    { token: "bea-token", user: "bea", scopes: ["repo"] }
  ]
}

/** Tools that the forge has no data for: it has no issue fields. */
const untested = ["list_issue_fields"]

/** The tools of the server, and those that the tests of this file called. */
const tools = { all: new Set<string>(), called: new Set<string>() }

const start = async () => {
  const forge = await serveTools("", rows)
  const { call, names } = await GithubMcpServer.connect(forge.url, TOKEN, forge.root, REPOSITORY)
  for (const name of names) tools.all.add(name)
  /** Sends a request of bea below the API. */
  const sendAsBea = async (method: string, path: string, body?: unknown) => {
    const { json, status } = await request({ ...forge.forge, token: "bea-token" }, method, `/api/v3${path}`, body)
    expect(status, JSON.stringify(json)).toBeLessThan(300)
    return json
  }
  const callTool: typeof call = (name, given) => {
    tools.called.add(name)
    return call(name, given)
  }
  return { ...forge, call: callTool, sendAsBea }
}

interface Named {
  readonly name: string
}

const names = (items: ReadonlyArray<Named>) => items.map(({ name }) => name)

const titles = ({ items }: { readonly items: ReadonlyArray<{ readonly title: string }> }) =>
  items.map(({ title }) => title)

describe.skipIf(!hasPrograms("github-mcp-server"))("github-mcp-server: its tools", () => {
  it("read accounts, and create repositories, branches and files", async () => {
    const { call, forge } = await start()
    expect(await call("get_me")).toMatchObject({ login: "ada", details: { name: "Ada Quay" } })
    expect(await call("get_teams")).toEqual([
      { org: OWNER, teams: [{ name: "Crew", slug: "crew", description: "All aboard" }] }
    ])
    expect(await call("get_team_members", { org: OWNER, team_slug: "crew" })).toEqual(["ada"])
    await call("create_repository", { name: "oars", organization: OWNER, private: true, autoInit: true })
    const created = await request({ ...forge, token: TOKEN }, "GET", `/api/v3/repos/${OWNER}/oars`)
    expect(created.json).toMatchObject({ private: true, default_branch: "main" })
    expect(await call("fork_repository", { repo: "oars" })).toBe("Fork is in progress")
    const forked = () => request({ ...forge, token: TOKEN }, "GET", "/api/v3/repos/ada/oars")
    await expect.poll(async () => (await forked()).json.fork, { timeout: 30_000 }).toBe(true)

    await call("create_branch", { branch: "deck", from_branch: "main" })
    const files = [
      { path: "deck.txt", content: "ash\n" },
      { path: "hull/keel.txt", content: "oak\n" }
    ]
    await call("push_files", { branch: "deck", message: "Add a deck", files })
    await call("delete_file", { path: "hull/keel.txt", message: "Remove the keel", branch: "deck" })
    const before = await call("get_file_contents", { path: "deck.txt", ref: "refs/heads/deck" })
    expect(before).toMatch(/^successfully downloaded text file[^]*ash\n$/)
    const [, sha] = /SHA: (\w+)/.exec(before) ?? []
    await call("create_or_update_file", {
      path: "deck.txt",
      content: "pine\n",
      message: "Use pine",
      branch: "deck",
      sha
    })
    expect(names(await call("list_branches"))).toEqual(["deck", "main"])
    const commits = await call("list_commits", { sha: "deck" })
    expect(commits.map(({ commit }: { readonly commit: { readonly message: string } }) => commit.message)).toEqual([
      "Use pine",
      "Remove the keel",
      "Add a deck",
      expect.stringContaining("chore: begin")
    ])
    expect(await call("get_commit", { sha: "deck", detail: "full_patch" })).toMatchObject({
      files: [{ filename: "deck.txt", patch: expect.stringContaining("-ash\n+pine") }]
    })
    expect(names(await call("get_file_contents", { path: "/", ref: "refs/heads/deck" }))).toEqual([
      "README.md",
      "deck.txt"
    ])
    const { tree } = await call("get_repository_tree", { tree_sha: "deck", recursive: true })
    expect(tree.map(({ path }: { readonly path: string }) => path)).toEqual(["README.md", "deck.txt"])
    expect((await call("list_repository_collaborators")).items).toMatchObject([
      { login: "ada", role_name: "admin" },
      { login: "bea", role_name: "read" }
    ])
  })

  it("write issues, labels, sub-issues and comments, and find them", async () => {
    const { call, send } = await start()
    await call("label_write", { method: "create", name: "leak", color: "0000ff", description: "Water" })
    await call("label_write", { method: "update", name: "leak", new_name: "water", color: "0000ee" })
    expect(await call("get_label", { name: "water" })).toMatchObject({ color: "0000ee", description: "Water" })
    const create = (title: string, given: object = {}) => call("issue_write", { method: "create", title, ...given })
    await create("It sinks", { body: "At sea", labels: ["water"], assignees: ["ada"] })
    const tar = await create("Tar the hull")
    const again = await create("It sinks again")
    expect((await call("list_label")).labels[0]).toMatchObject({ name: "water" })
    for (const { id } of [tar, again])
      await call("sub_issue_write", { method: "add", issue_number: 1, sub_issue_id: Number(id) })
    const ids = { sub_issue_id: Number(again.id), before_id: Number(tar.id) }
    await call("sub_issue_write", { method: "reprioritize", issue_number: 1, ...ids })
    const below = await call("issue_read", { method: "get_sub_issues", issue_number: 1 })
    expect(titles({ items: below })).toEqual(["It sinks again", "Tar the hull"])
    expect(await call("issue_read", { method: "get_parent", issue_number: 2 })).toMatchObject({ parent: { number: 1 } })
    await call("sub_issue_write", { method: "remove", issue_number: 1, sub_issue_id: Number(again.id) })

    const comment = await call("add_issue_comment", { issue_number: 1, body: "Bail" })
    await call("add_issue_comment", { issue_number: 1, reaction: "heart" })
    await call("add_issue_comment", { issue_number: 1, comment_id: Number(comment.id), reaction: "rocket" })
    expect(await call("issue_read", { method: "get_comments", issue_number: 1 })).toMatchObject([{ body: "Bail" }])
    expect(await send("GET", "/issues/comments/1/reactions")).toMatchObject([{ content: "rocket" }])
    expect(await send("GET", "/issues/1/reactions")).toMatchObject([{ content: "heart", user: { login: "ada" } }])
    const issue = await call("issue_read", { method: "get", issue_number: 1 })
    expect(issue).toMatchObject({ title: "It sinks", body: "At sea", labels: ["water"], assignees: ["ada"] })
    const { labels } = await call("issue_read", { method: "get_labels", issue_number: 1 })
    expect(names(labels)).toEqual(["water"])
    const duplicate = { state: "closed", state_reason: "duplicate", duplicate_of: 1 }
    await call("issue_write", { method: "update", issue_number: 3, ...duplicate })
    expect(await send("GET", "/issues/3")).toMatchObject({ state: "closed", state_reason: "duplicate" })
    await call("issue_write", { method: "update", issue_number: 2, title: "Tar it", type: "Bug", labels: ["water"] })
    expect(await send("GET", "/issues/2")).toMatchObject({ title: "Tar it", type: { name: "Bug" } })
    const page = await call("list_issues", { labels: ["water"], orderBy: "CREATED_AT", direction: "ASC", perPage: 1 })
    expect(page).toMatchObject({ issues: [{ number: 1 }], totalCount: 2, pageInfo: { hasNextPage: true } })
    const next = await call("list_issues", { labels: ["water"], perPage: 1, after: page.pageInfo.endCursor })
    expect(next.issues).toHaveLength(1)
    expect(names(await call("list_issue_types"))).toEqual(["Bug"])
    expect(titles(await call("search_issues", { query: "sinks is:open" }))).toEqual(["It sinks"])
    await call("label_write", { method: "delete", name: "water" })
    expect((await send("GET", "/issues/1")).labels).toEqual([])
  })

  it("open a pull request, review it with pending comments, and merge it", async () => {
    const { call, push, send, sendAsBea } = await start()
    const oid = await push("deck", { "deck.txt": "ash\npine\noak\n" }, "Add a deck")
    await call("create_or_update_file", { path: "main.txt", content: "1\n", message: "Go on", branch: "main" })
    const opened = { title: "Add a deck", head: "deck", base: "main", body: "Of ash", draft: true }
    await call("create_pull_request", opened)
    const pullNumber = 1
    await call("update_pull_request", { pullNumber, title: "Add the deck", draft: false, reviewers: ["bea"] })
    expect(await call("list_pull_requests", { state: "all" })).toMatchObject([
      { number: 1, title: "Add the deck", draft: false, requested_reviewers: ["bea"] }
    ])
    const read = (method: string) => call("pull_request_read", { method, pullNumber })
    expect(await read("get")).toMatchObject({ title: "Add the deck", body: "Of ash" })
    expect(await read("get_diff")).toContain("+pine")
    expect(await read("get_files")).toMatchObject([{ filename: "deck.txt", additions: 3 }])
    expect(await read("get_commits")).toMatchObject([{ sha: oid }])

    // The server finds only a pending review that is the first one of its user.
    const review = (method: string, given: object = {}) =>
      call("pull_request_review_write", { method, pullNumber, ...given })
    await review("create", { body: "Not yet" })
    await review("delete_pending")
    expect(await read("get_reviews")).toEqual([])
    await review("create")
    const add = (body: string, given: object) =>
      call("add_comment_to_pending_review", { pullNumber, path: "deck.txt", body, ...given })
    await add("Why pine?", { subjectType: "LINE", line: 2, side: "RIGHT" })
    await add("All of it", { subjectType: "LINE", startLine: 1, startSide: "RIGHT", line: 3, side: "RIGHT" })
    await add("The file", { subjectType: "FILE" })
    expect(await sendAsBea("GET", `/repos/${REPOSITORY}/pulls/1/comments`)).toEqual([])
    await review("submit_pending", { event: "COMMENT", body: "Questions" })
    expect(await send("GET", "/pulls/1/comments")).toMatchObject([
      { body: "Why pine?", line: 2, side: "RIGHT" },
      { body: "All of it", start_line: 1, line: 3 },
      { body: "The file", subject_type: "file" }
    ])
    await review("create", { event: "COMMENT", body: "Fine" })
    expect(await read("get_reviews")).toMatchObject([{ body: "Questions" }, { body: "Fine", state: "COMMENTED" }])
    const reply = { pullNumber, commentId: 1 }
    await call("add_reply_to_pull_request_comment", { ...reply, body: "It is light" })
    await call("add_reply_to_pull_request_comment", { ...reply, reaction: "rocket" })
    expect(await send("GET", "/pulls/comments/1/reactions")).toMatchObject([{ content: "rocket" }])
    const threads = async () => (await read("get_review_comments")).review_threads
    const [thread] = await threads()
    expect(thread.comments).toMatchObject([{ body: "Why pine?" }, { body: "It is light" }])
    await review("resolve_thread", { threadId: thread.id })
    expect((await threads())[0].is_resolved).toBe(true)
    await review("unresolve_thread", { threadId: thread.id })
    expect((await threads())[0].is_resolved).toBe(false)
    await call("add_issue_comment", { issue_number: 1, body: "Nice" })
    expect(await read("get_comments")).toMatchObject([{ body: "Nice" }])

    await send("POST", `/statuses/${oid}`, { state: "success", context: "hull" })
    expect(await read("get_status")).toMatchObject({ state: "success", statuses: [{ context: "hull" }] })
    expect(await read("get_check_runs")).toMatchObject({ total_count: 0 })
    await call("update_pull_request_branch", { pullNumber })
    const parents = async () => (await send("GET", "/commits/deck")).parents.length
    await expect.poll(parents, { timeout: 30_000 }).toBe(2)
    expect(titles(await call("search_pull_requests", { query: "deck" }))).toEqual(["Add the deck"])
    await call("merge_pull_request", { pullNumber, merge_method: "squash", commit_title: "Add the deck (#1)" })
    expect(await send("GET", "/pulls/1")).toMatchObject({ merged: true, merged_by: { login: "ada" } })
    expect((await send("GET", "/commits/main")).commit.message).toContain("Add the deck (#1)")
  })

  it("read releases and tags, search, star, and manage notifications", async () => {
    const { call, push, send, sendAsBea } = await start()
    const oid = await push("main", { "deck.txt": "ash\n" }, "Add a deck")
    await send("POST", "/releases", { tag_name: "v1.0.0", name: "One", body: "The first" })
    const { sha } = await send("POST", "/git/tags", { tag: "v1.1.0", message: "Next", object: oid, type: "commit" })
    await send("POST", "/git/refs", { ref: "refs/tags/v1.1.0", sha })
    expect(await call("list_releases")).toMatchObject([{ tag_name: "v1.0.0", name: "One" }])
    expect(await call("get_latest_release")).toMatchObject({ tag_name: "v1.0.0", body: "The first" })
    expect(await call("get_release_by_tag", { tag: "v1.0.0" })).toMatchObject({ name: "One" })
    expect(names(await call("list_tags"))).toEqual(["v1.0.0", "v1.1.0"])
    expect(await call("get_tag", { tag: "v1.1.0" })).toMatchObject({ message: "Next", object: { sha: oid } })

    const code = () => call("search_code", { query: `ash repo:${REPOSITORY}` })
    await expect.poll(async () => (await code()).items, { timeout: 30_000 }).toMatchObject([{ path: "deck.txt" }])
    const commits = () => call("search_commits", { query: `deck repo:${REPOSITORY}` })
    await expect.poll(async () => (await commits()).items, { timeout: 30_000 }).toMatchObject([{ sha: oid }])
    expect((await call("search_orgs", { query: OWNER })).items).toMatchObject([{ login: OWNER }])
    expect((await call("search_users", { query: "ada" })).items).toMatchObject([{ login: "ada" }])
    expect((await call("search_repositories", { query: "boats" })).items).toMatchObject([{ full_name: REPOSITORY }])
    await call("star_repository")
    expect(await call("list_starred_repositories")).toMatchObject([{ full_name: REPOSITORY, stargazers_count: 1 }])
    await call("unstar_repository")
    expect(await send("GET", "/stargazers")).toEqual([])

    await sendAsBea("POST", `/repos/${REPOSITORY}/issues`, { title: "Help", body: "@ada please" })
    const list = () => call("list_notifications")
    await expect.poll(list, { timeout: 30_000 }).toMatchObject([{ reason: "mention", subject: { title: "Help" } }])
    const [{ id: notificationID }] = await list()
    expect(await call("get_notification_details", { notificationID })).toMatchObject({ reason: "mention" })
    const manage = (action: string) => call("manage_notification_subscription", { notificationID, action })
    expect(await manage("watch")).toMatchObject({ subscribed: true })
    expect(await manage("ignore")).toMatchObject({ ignored: true })
    await manage("delete")
    await call("dismiss_notification", { threadID: notificationID, state: "read" })
    expect(await list()).toEqual([])
    await call("dismiss_notification", { threadID: notificationID, state: "done" })
    const watch = (action: string) => call("manage_repository_notification_subscription", { action })
    expect(await watch("watch")).toMatchObject({ subscribed: true })
    await sendAsBea("POST", `/repos/${REPOSITORY}/issues`, { title: "More help" })
    await expect.poll(list, { timeout: 30_000 }).toMatchObject([{ subject: { title: "More help" } }])
    await call("mark_all_notifications_read")
    expect(await list()).toEqual([])
    expect(await watch("ignore")).toMatchObject({ ignored: true })
    await watch("delete")
  })

  it("start runs of a workflow, read their jobs and logs, and start them again", async () => {
    const { call, forge, push } = await start()
    const report = async (method: string, path: string, body: unknown) => {
      const answer = await request(
        { ...forge, token: TOKEN },
        method,
        `/api/v3/tongs/repos/${REPOSITORY}/runs${path}`,
        body
      )
      expect(answer.status, JSON.stringify(answer.json)).toBeLessThan(300)
      return answer.json
    }
    await push("main", { ".github/workflows/ci.yml": "name: CI\non: workflow_dispatch\njobs: {}\n" }, "Check")
    const list = (method: string, given: object = {}) => call("actions_list", { method, ...given })
    const get = (method: string, resource_id: string) => call("actions_get", { method, resource_id })
    const trigger = (method: string, given: object) => call("actions_run_trigger", { method, ...given })
    expect((await list("list_workflows")).workflows).toMatchObject([{ name: "CI" }])
    expect(await get("get_workflow", "ci.yml")).toMatchObject({ path: ".github/workflows/ci.yml", state: "active" })
    await trigger("run_workflow", { workflow_id: "ci.yml", ref: "main" })
    const { workflow_runs } = await list("list_workflow_runs", { resource_id: "ci.yml" })
    expect(workflow_runs).toMatchObject([{ event: "workflow_dispatch", status: "queued", head_branch: "main" }])
    const [{ id: run_id }] = workflow_runs
    await report("POST", "", { run_id, jobs: [{ name: "build", conclusion: "failure" }], conclusion: "failure" })
    const { jobs } = (await list("list_workflow_jobs", { resource_id: String(run_id) })).jobs
    expect(jobs).toMatchObject([{ name: "build", conclusion: "failure" }])
    const [{ id: job_id }] = jobs
    await report("PUT", `/${run_id}/jobs/${job_id}/log`, "broken")
    expect(await get("get_workflow_run", String(run_id))).toMatchObject({ conclusion: "failure" })
    expect(await get("get_workflow_job", String(job_id))).toMatchObject({ run_id, name: "build" })
    expect(await get("get_workflow_run_usage", String(run_id))).toHaveProperty("billable")
    const { logs_url } = await get("get_workflow_run_logs_url", String(run_id))
    expect((await fetch(logs_url)).headers.get("content-type")).toContain("zip")
    expect(await call("get_job_logs", { job_id, return_content: true })).toMatchObject({
      logs_content: expect.stringContaining("broken")
    })
    expect(await call("get_job_logs", { run_id, failed_only: true, return_content: true })).toMatchObject({
      failed_jobs: 1,
      logs: [{ job_name: "build" }]
    })
    expect(await list("list_workflow_run_artifacts", { resource_id: String(run_id) })).toMatchObject({ total_count: 0 })
    const status = async () => (await get("get_workflow_run", String(run_id))).status
    await trigger("rerun_failed_jobs", { run_id })
    expect(await status()).toBe("queued")
    await trigger("cancel_workflow_run", { run_id })
    expect(await status()).toBe("completed")
    await trigger("rerun_workflow_run", { run_id })
    await trigger("cancel_workflow_run", { run_id })
    await trigger("delete_workflow_run_logs", { run_id })
    await expect(get("get_workflow_run_logs_url", String(run_id))).rejects.toThrow("failed")
  })

  it("are all called by the tests above", () => {
    expect([...tools.all].filter((name) => !tools.called.has(name))).toEqual(untested)
  })
})
