/** @octokit/rest calls every operation of issues over HTTP, and its typed results are read. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { write } from "../conformance/ConformanceFixture.test-support.ts"
import { serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"

const at = { owner: "harbor", repo: "hello" }
const ORG = "harbor"
const one = { per_page: 1 }

/** Starts the forge of the conformance tests. Its issue 1 has the sub-issues 3, 2 and 8, with the ids 2, 3 and 5. */
const setUp = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const { file } = write(root, "http://127.0.0.1:9")
  const { url } = await serve(root, "--dialect", "github", "--fixtures", file)
  const octokit = octokitFor({ token: "olive", url })
  const create = async (title: string) => {
    const labels = ["bug", "question"]
    const { data } = await octokit.rest.issues.create({ ...at, title, labels, assignees: ["piers"], milestone: 1 })
    return data
  }
  return { octokit, create, rest: octokit.rest }
}

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }: { readonly status: number }) => status
  )

/** Expects a time of this test. */
const expectRecent = (time: string | null | undefined) =>
  expect(Math.abs(Date.now() - Date.parse(time ?? ""))).toBeLessThan(600_000)

const numbers = (items: ReadonlyArray<{ readonly number: number }>) => items.map(({ number }) => number)
const names = (items: ReadonlyArray<{ readonly name: string }>) => items.map(({ name }) => name).toSorted()

it("Octokit: issues, their search and their lock", async () => {
  const { create, octokit, rest } = await setUp()
  const { issues, search } = rest
  const issue = await create("Ashore")
  expect([issue.title, issue.state, issue.user?.login, issue.milestone?.title]).toEqual([
    "Ashore",
    "open",
    "olive",
    "Before winter"
  ])
  expect(issue.labels.map((label) => (typeof label === "string" ? label : label.name))).toEqual(["bug", "question"])
  expect(issue.assignees?.map(({ login }) => login)).toEqual(["piers"])
  expectRecent(issue.created_at)
  const issue_number = issue.number
  await issues.update({ ...at, issue_number, state: "closed", state_reason: "not_planned", milestone: null })
  const { data: closed } = await issues.get({ ...at, issue_number })
  expect([closed.state, closed.state_reason, closed.closed_by?.login, closed.milestone]).toEqual([
    "closed",
    "not_planned",
    "olive",
    null
  ])
  expectRecent(closed.closed_at)
  await issues.lock({ ...at, issue_number, lock_reason: "resolved" })
  const { data: locked } = await issues.get({ ...at, issue_number })
  expect([locked.locked, locked.active_lock_reason]).toEqual([true, "resolved"])
  await issues.unlock({ ...at, issue_number })

  const all = await octokit.paginate(issues.listForRepo, { ...at, ...one, state: "all", direction: "asc" })
  expect(numbers(all).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 5, 8, 20, 21, 22, 23, issue_number])
  expect(numbers((await issues.listForRepo({ ...at, labels: "bug,question", milestone: "1" })).data)).toEqual([1])
  const { data: assigned } = await issues.listForOrg({ org: ORG, filter: "assigned" })
  expect(assigned.map(({ number, repository }) => [number, repository?.full_name])).toEqual([[1, "harbor/hello"]])
  const { data: involving } = await issues.list({ filter: "created", state: "closed" })
  expect(numbers(involving)).toEqual([issue_number, 3])
  expect((await issues.listForAuthenticatedUser()).data).toEqual([])

  const { data: found } = await search.issuesAndPullRequests({ q: "greet repo:harbor/hello is:open", sort: "created" })
  expect([found.total_count, numbers(found.items), found.items[0]?.user?.login]).toEqual([2, [5, 2], "piers"])
  expect(await status(issues.get({ ...at, issue_number: 999 }))).toBe(404)
  expect(await status(issues.get({ ...at, issue_number: 7 }))).toBe(410)
})

it("Octokit: comments, events and reactions", async () => {
  const { create, octokit, rest } = await setUp()
  const { issues, reactions } = rest
  const { number: issue_number } = await create("Comments")
  const { data: first } = await issues.createComment({ ...at, issue_number, body: "First" })
  const { data: second } = await issues.createComment({ ...at, issue_number, body: "Second" })
  expect([first.body, first.user?.login, first.author_association]).toEqual(["First", "olive", "MEMBER"])
  expectRecent(first.created_at)
  const comment_id = first.id
  expect((await issues.updateComment({ ...at, comment_id, body: "Third" })).data.body).toBe("Third")
  const comments = await octokit.paginate(issues.listComments, { ...at, issue_number, ...one })
  expect(comments.map(({ body }) => body)).toEqual(["Third", "Second"])
  // Octokit has no methods for pins.
  const pin = "/repos/{owner}/{repo}/issues/comments/{comment_id}/pin"
  expectRecent((await octokit.request(`PUT ${pin}`, { ...at, comment_id })).data.pin?.pinned_at)
  await octokit.request(`DELETE ${pin}`, { ...at, comment_id })
  await issues.deleteComment({ ...at, comment_id: second.id })
  expect(await status(issues.getComment({ ...at, comment_id: second.id }))).toBe(404)
  const { data: latest } = await issues.listCommentsForRepo({ ...at, sort: "created", direction: "desc" })
  expect(latest[0]?.id).toBe(comment_id)

  await issues.update({ ...at, issue_number, title: "Renamed" })
  const events = await octokit.paginate(issues.listEvents, { ...at, issue_number, ...one })
  const renamed = events.find(({ event }) => event === "renamed")
  expect(renamed).toMatchObject({ actor: { login: "olive" }, rename: { from: "Comments", to: "Renamed" } })
  const { data: event } = await issues.getEvent({ ...at, event_id: renamed?.id ?? 0 })
  expect([event.event, event.issue?.number]).toEqual(["renamed", issue_number])
  expect((await issues.listEventsForRepo(at)).data[0]?.id).toBe(renamed?.id)
  const timeline = await octokit.paginate(issues.listEventsForTimeline, { ...at, issue_number, ...one })
  expect(timeline).toHaveLength(events.length + 1)

  const of = { issue: { ...at, issue_number }, comment: { ...at, comment_id } }
  const content = "rocket" as const // literal type
  const made = [
    (await reactions.createForIssue({ ...of.issue, content })).data,
    (await reactions.createForIssueComment({ ...of.comment, content })).data,
    (await reactions.createForCommitComment({ ...at, comment_id: 11, content })).data,
    (await reactions.createForPullRequestReviewComment({ ...at, comment_id: 21, content })).data
  ]
  for (const reaction of made) {
    expect([reaction.content, reaction.user?.login]).toEqual(["rocket", "olive"])
    expectRecent(reaction.created_at)
  }
  const list = async () =>
    (
      await Promise.all([
        reactions.listForIssue({ ...of.issue, content }),
        reactions.listForIssueComment({ ...of.comment, content }),
        reactions.listForCommitComment({ ...at, comment_id: 11, content }),
        reactions.listForPullRequestReviewComment({ ...at, comment_id: 21, content })
      ])
    ).map(({ data }) => data.map(({ id }) => id))
  const ids = made.map(({ id }) => id)
  expect(await list()).toEqual(ids.map((id) => [id]))
  const [onIssue = 0, onComment = 0, onCommit = 0, onReview = 0] = ids
  await reactions.deleteForIssue({ ...of.issue, reaction_id: onIssue })
  await reactions.deleteForIssueComment({ ...of.comment, reaction_id: onComment })
  await reactions.deleteForCommitComment({ ...at, comment_id: 11, reaction_id: onCommit })
  await reactions.deleteForPullRequestComment({ ...at, comment_id: 21, reaction_id: onReview })
  expect(await list()).toEqual([[], [], [], []])
})

it("Octokit: assignees, labels and milestones", async () => {
  const { create, octokit, rest } = await setUp()
  const { issues } = rest
  const { number: issue_number } = await create("Labels")
  const assignees = await octokit.paginate(issues.listAssignees, { ...at, ...one })
  expect(assignees.map(({ login }) => login).toSorted()).toEqual(["finn", "greta", "hugo", "olive", "piers"])
  expect(await status(issues.checkUserCanBeAssigned({ ...at, assignee: "piers" }))).toBe(200)
  expect(await status(issues.checkUserCanBeAssigned({ ...at, assignee: "nell" }))).toBe(404)
  expect(await status(issues.checkUserCanBeAssignedToIssue({ ...at, issue_number, assignee: "olive" }))).toBe(200)
  await issues.addAssignees({ ...at, issue_number, assignees: ["olive"] })
  const { data: issue } = await issues.removeAssignees({ ...at, issue_number, assignees: ["piers"] })
  expect(issue.assignees?.map(({ login }) => login)).toEqual(["olive"])

  await issues.createLabel({ ...at, name: "js/größe", color: "f1e05a", description: "Big" })
  const { data: label } = await issues.updateLabel({ ...at, name: "js/größe", new_name: "jö", description: "Small" })
  expect([label.name, label.color, label.description, label.default]).toEqual(["jö", "f1e05a", "Small", false])
  expect((await issues.getLabel({ ...at, name: "jö" })).data.id).toBe(label.id)
  expect(await octokit.paginate(issues.listLabelsForRepo, { ...at, ...one })).toHaveLength(10)
  const added = await issues.addLabels({ ...at, issue_number, labels: ["jö"] })
  expect(names(added.data)).toEqual(["bug", "jö", "question"])
  expect(names((await issues.removeLabel({ ...at, issue_number, name: "bug" })).data)).toEqual(["jö", "question"])
  expect(names((await issues.listLabelsForMilestone({ ...at, milestone_number: 1 })).data)).toContain("jö")
  expect(names((await issues.setLabels({ ...at, issue_number, labels: ["jö"] })).data)).toEqual(["jö"])
  expect(names((await issues.listLabelsOnIssue({ ...at, issue_number })).data)).toEqual(["jö"])
  await issues.removeAllLabels({ ...at, issue_number })
  expect((await issues.get({ ...at, issue_number })).data.labels).toEqual([])
  await issues.deleteLabel({ ...at, name: "jö" })
  expect(await status(issues.getLabel({ ...at, name: "jö" }))).toBe(404)

  const due_on = "2030-03-04T08:00:00Z"
  const { data: milestone } = await issues.createMilestone({ ...at, title: "By Octokit", due_on })
  expect([milestone.creator?.login, milestone.due_on, milestone.state]).toEqual(["olive", due_on, "open"])
  const milestone_number = milestone.number
  await issues.updateMilestone({ ...at, milestone_number, state: "closed" })
  expectRecent((await issues.getMilestone({ ...at, milestone_number })).data.closed_at)
  const closed = await octokit.paginate(issues.listMilestones, { ...at, ...one, state: "closed" })
  expect(closed.map(({ title }) => title).toSorted()).toEqual(["By Octokit", "To be deleted"])
  await issues.deleteMilestone({ ...at, milestone_number })
  expect(await status(issues.getMilestone({ ...at, milestone_number }))).toBe(404)
})

it("Octokit: sub-issues, dependencies and types", async () => {
  const { octokit, rest } = await setUp()
  const { issues, orgs } = rest
  const parent = { ...at, issue_number: 1 }
  const children = async () => numbers(await octokit.paginate(issues.listSubIssues, { ...parent, ...one }))
  expect(await children()).toEqual([3, 2, 8])
  expect((await issues.getParent({ ...at, issue_number: 2 })).data.title).toBe("No ship answers")
  expect((await issues.addSubIssue({ ...parent, sub_issue_id: 4 })).data.number).toBe(1)
  await issues.reprioritizeSubIssue({ ...parent, sub_issue_id: 4, before_id: 3 })
  expect(await children()).toEqual([3, 5, 2, 8])
  expect((await issues.get(parent)).data.sub_issues_summary).toMatchObject({ total: 4, completed: 1 })
  await issues.removeSubIssue({ ...parent, sub_issue_id: 4 })
  expect(await children()).toEqual([3, 2, 8])

  const blocked = { ...at, issue_number: 2 }
  expect(numbers((await issues.listDependenciesBlocking({ ...at, issue_number: 3 })).data)).toEqual([2])
  await issues.addBlockedByDependency({ ...blocked, issue_id: 4 })
  expect(new Set(numbers((await issues.listDependenciesBlockedBy(blocked)).data))).toEqual(new Set([3, 5]))
  await issues.removeDependencyBlockedBy({ ...blocked, issue_id: 4 })
  expect(numbers((await issues.listDependenciesBlockedBy(blocked)).data)).toEqual([3])

  const idea = { org: ORG, name: "Idea of Octokit", is_enabled: true }
  const { data: type } = await orgs.createIssueType({ ...idea, color: "green" })
  expect([type?.name, type?.color]).toEqual([idea.name, "green"])
  const issue_type_id = type?.id ?? 0
  const { data: updated } = await orgs.updateIssueType({ ...idea, issue_type_id, description: "To think about" })
  expect(updated?.description).toBe("To think about")
  const types = (await orgs.listIssueTypes({ org: ORG })).data
  expect(names(types.filter((one) => one !== null))).toEqual(["Idea of Octokit", "Task", "To be deleted"])
  const { data: ofRepository } = await octokit.request("GET /repos/{owner}/{repo}/issue-types", at)
  expect(ofRepository).toHaveLength(3)
  await orgs.deleteIssueType({ org: ORG, issue_type_id })
})
