/** The checks of the issues, events, counters and the search of a forge that was killed. */
import { expect } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { everyPage, type Ledger } from "./CrashScenario.test-support.ts"
import { type ForgeProcess, type JsonResponse, request } from "./ForgeProcess.test-support.ts"
import { type IssueState, noticeOf, otherOf, printed, SHARED } from "./IssueWrites.test-support.ts"

/** Number of users who watch the repository `hello`, and the beginning of their logins. */
const WATCHERS = 300
const WATCHER = "watcher-"

/** Rows of the fixture file: users who watch a repository. */
export const watchersOf = (repository: string): object => {
  const logins = Array.from({ length: WATCHERS }, (_, index) => `${WATCHER}${index}`)
  return {
    users: logins.map((login) => ({ login })),
    watching: logins.map((user) => ({ user, repository }))
  }
}

/** True for the things that `look` returns. */
export const isThing = (thing: string): boolean => /^(?:issue|comment) /.test(thing)

const itemOf = ({ body, commit_id, event, label }: JsonResponse["json"]): string =>
  [event, body, label?.name, commit_id].filter((part) => typeof part === "string").join(" ")

/** The issues and the comments on the shared issue, with the ledger's names. Checks the counters. */
export const look = async (
  serving: ForgeProcess,
  base: string,
  ledger: Ledger
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const inMilestone = { open: 0, closed: 0 }
  for (const repository of ["hello", "other"]) {
    const at = repository === "hello" ? base : otherOf(base)
    for (const issue of await everyPage(serving, `${at}/issues?state=all`)) {
      const timeline = (await everyPage(serving, `${at}/issues/${issue.number}/timeline`)).map(itemOf)
      const commented = timeline.filter((item) => item.startsWith("commented "))
      expect([issue.title, issue.comments]).toEqual([issue.title, commented.length])
      if (issue.title === SHARED) {
        for (const item of commented) found.set(item.replace("commented ", "comment "), SHARED)
        expect(new Set(commented).size).toBe(commented.length)
        continue
      }
      expect(found.has(`issue ${issue.title}`), issue.title).toBe(false)
      expect([undefined, issue.title]).toContain(ledger.titleOf(repository, issue.number))
      const summary = issue.sub_issues_summary
      const state: IssueState = {
        repository,
        state: issue.state,
        labels: issue.labels.map(({ name }: { readonly name: string }) => name),
        assignees: issue.assignees.length,
        milestone: issue.milestone?.title ?? null,
        isLocked: issue.locked,
        hearts: issue.reactions.heart,
        comments: issue.comments,
        parent:
          issue.parent_issue_url === null
            ? null
            : issue.parent_issue_url.split("/").toSpliced(-2, 1).slice(-2).join(" "),
        subIssues: [summary.total, summary.completed],
        timeline
      }
      if (issue.milestone !== null) inMilestone[issue.state === "open" ? "open" : "closed"] += 1
      found.set(`issue ${issue.title}`, printed(state))
    }
  }
  const { json: milestone } = await request(serving, "GET", `${base}/milestones/1`)
  expect([milestone.open_issues, milestone.closed_issues]).toEqual([inMilestone.open, inMilestone.closed])
  return found
}

/** Searches each issue by the word of its title, and the shared issue by each comment. */
export const expectFound = async (serving: ForgeProcess, ledger: Ledger): Promise<void> => {
  for (const [word, title] of [
    ...ledger.names("issue").map((title) => [title, title] as const), // a pair
    ...ledger.names("comment").map((word) => [word, SHARED] as const) // a pair
  ]) {
    const { json, status } = await request(serving, "GET", `/search/issues?q=${word}`)
    const found = status === 200 ? json.items.map((item: JsonResponse["json"]) => item.title) : json
    expect([word, found]).toEqual([word, [title]])
  }
}

/** Rows that contradict each other. */
const contradictions = [
  `SELECT id FROM issues i WHERE comments <> (SELECT count(*) FROM issue_comments c WHERE c.issue_id = i.id)`,
  `SELECT c.id FROM issue_comments c JOIN issues i ON i.id = c.issue_id WHERE c.repository_id <> i.repository_id`,
  `SELECT e.id FROM issue_events e JOIN issues i ON i.id = e.issue_id WHERE e.repository_id <> i.repository_id`,
  // Numbers that are given twice, or will be given again.
  `SELECT repository_id, number FROM (
    SELECT repository_id, number FROM issues UNION ALL SELECT repository_id, number FROM transferred_issues) taken
    GROUP BY repository_id, number HAVING count(*) > 1`,
  `SELECT i.id FROM issues i JOIN issue_numbers n ON n.repository_id = i.repository_id WHERE i.number > n.last`,
  // Texts of the search that are missing or too many.
  `SELECT i.id FROM issues i WHERE 2 <> (
    SELECT count(*) FROM issue_texts t WHERE t.issue_id = i.id AND t.comment_id IS NULL)`,
  `SELECT c.id FROM issue_comments c WHERE 1 <> (SELECT count(*) FROM issue_texts t WHERE t.comment_id = c.id)`,
  // Watchers without a notification of an issue, and of the newest comment.
  `SELECT i.id, w.user_id FROM issues i JOIN repository_subscriptions w ON w.repository_id = i.repository_id
    JOIN users u ON u.id = w.user_id WHERE u.login LIKE '${WATCHER}%'
    AND NOT EXISTS (SELECT 1 FROM transferred_issues t WHERE t.issue_id = i.id)
    AND NOT EXISTS (
      SELECT 1 FROM notifications n WHERE n.issue_id = i.id AND n.user_id = w.user_id AND n.unread = 1
        AND n.repository_id = i.repository_id)`,
  `SELECT n.id FROM notifications n JOIN issues i ON i.id = n.issue_id JOIN issue_comments c ON c.issue_id = i.id
    WHERE i.title = '${SHARED}' AND c.id = (SELECT max(id) FROM issue_comments WHERE issue_id = i.id)
    AND n.updated_at <> c.created_at AND n.user_id IN (SELECT id FROM users WHERE login LIKE '${WATCHER}%')`
]

/** Checks that there are notifications to lose. */
export const expectNotified = async (data: string): Promise<void> => {
  const [found] = await ForgeRows.query(
    data,
    `SELECT count(DISTINCT n.user_id) AS count FROM notifications n JOIN users u ON u.id = n.user_id
      WHERE u.login LIKE '${WATCHER}%'`
  )
  expect(Number(found?.["count"])).toBe(WATCHERS)
}

/** Checks the rows of issues, and that each public event of an issue is there once. */
export const expectSound = async (data: string, ledger: Ledger): Promise<void> => {
  for (const sql of contradictions) expect([sql, await ForgeRows.query(data, sql)]).toEqual([sql, []])
  const types = { IssuesEvent: "issues", IssueCommentEvent: "issue_comment" }
  const events = await ForgeRows.query(
    data,
    `SELECT e.type, e.payload, r.name FROM events e JOIN repositories r ON r.id = e.repository_id
      WHERE e.type IN ('IssuesEvent', 'IssueCommentEvent')`
  )
  const notices = events.flatMap(({ name, payload, type }) => {
    const event = Object.entries(types).find(([key]) => key === type)?.[1] ?? ""
    return noticeOf(event, { ...JSON.parse(String(payload)), repository: { name } }) ?? []
  })
  expect(notices.filter((notice, at) => notices.indexOf(notice) !== at)).toEqual([])
  const isListed = (notice: string) => /^(?:issues (?:opened|closed|reopened)|issue_comment created) /.test(notice)
  expect(new Set([...ledger.expectedDeliveries].filter(isListed)).difference(new Set(notices))).toEqual(new Set())
}
