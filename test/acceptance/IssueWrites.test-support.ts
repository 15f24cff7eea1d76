/** Writes to the issues of a forge that is killed. */
import { expect } from "vitest"
import { randomOf, seed } from "./ClockJumps.test-support.ts"
import { type CrashScenario, type Ledger, push, type Writer } from "./CrashScenario.test-support.ts"
import { type ForgeProcess, git, type JsonResponse, request } from "./ForgeProcess.test-support.ts"
import { cloneUrl } from "./GitPush.test-support.ts"

/** Title of the milestone, and of the issue on which several writers comment at the same time. */
export const SHARED = "shared"

/** The API path of the other repository. */
export const otherOf = (base: string): string => base.replace(/hello$/, "other")

/** Creates the shared issue and the shared milestone. Publishes both repositories, because issues and commits cross. */
export const prepare = async (serving: ForgeProcess, base: string): Promise<void> => {
  for (const path of [base, otherOf(base)])
    expect((await request(serving, "PATCH", path, { private: false })).json.private).toBe(false)
  for (const list of ["issues", "milestones"])
    expect((await request(serving, "POST", `${base}/${list}`, { title: SHARED })).json.number).toBe(1)
}

/** What the API shows of an issue. */
export interface IssueState {
  readonly repository: string
  readonly state: string
  readonly labels: ReadonlyArray<string>
  readonly assignees: number
  readonly milestone: string | null
  readonly isLocked: boolean
  readonly hearts: number
  readonly comments: number
  /** Repository and number. */
  readonly parent: string | null
  /** Number of sub-issues, and of closed ones. */
  readonly subIssues: readonly [total: number, closed: number]
  /** Events and comments, sorted because the forge's clock jumps. */
  readonly timeline: ReadonlyArray<string>
}

const initial: IssueState = {
  repository: "hello",
  state: "open",
  labels: [],
  assignees: 0,
  milestone: null,
  isLocked: false,
  hearts: 0,
  comments: 0,
  parent: null,
  subIssues: [0, 0],
  timeline: []
}

export const printed = (state: IssueState) => JSON.stringify({ ...state, timeline: state.timeline.toSorted() })

/** The change of an issue by a write: new members, and new items of the timeline. */
interface Change extends Partial<Omit<IssueState, "timeline">> {
  readonly added?: ReadonlyArray<string>
  readonly removed?: string
}

/** An issue that the forge acknowledged, and the state that it must have. */
class WrittenIssue {
  readonly title: string
  readonly number: number
  readonly id: number
  readonly nodeId: string
  #state: IssueState

  constructor(title: string, { id, node_id, number }: JsonResponse["json"], state: IssueState) {
    this.title = title
    this.number = number
    this.id = id
    this.nodeId = node_id
    this.#state = state
  }

  /** Sends a write that makes changes of issues. */
  static async change(
    ledger: Ledger,
    changes: ReadonlyArray<readonly [WrittenIssue, Change]>,
    send: () => Promise<JsonResponse>,
    status: number,
    notices: ReadonlyArray<string>,
    others: ReadonlyArray<readonly [string, string]> = []
  ): Promise<JsonResponse["json"]> {
    const next = changes.map(([issue, { added = [], removed, ...members }]) => {
      const timeline = [...issue.#state.timeline.filter((item) => item !== removed), ...added]
      return { issue, state: { ...issue.#state, ...members, timeline } }
    })
    const things = next.map(({ issue, state }) => [`issue ${issue.title}`, printed(state)] as const) // a pair
    const json = await ledger.writeAll([...things, ...others], send, status, ...notices)
    for (const { issue, state } of next) issue.#state = state
    return json
  }
}

const create = async (
  serving: ForgeProcess,
  base: string,
  title: string,
  ledger: Ledger,
  repository = "hello"
): Promise<WrittenIssue> => {
  const at = repository === "hello" ? base : otherOf(base)
  const state = { ...initial, repository }
  const send = () => request(serving, "POST", `${at}/issues`, { title, body: "A text" })
  const json = await ledger.write(`issue ${title}`, printed(state), send, 201, `issues opened ${repository} ${title}`)
  ledger.addNumber(repository, json.number, title)
  return new WrittenIssue(title, json, state)
}

type Step = (
  issue: WrittenIssue,
  at: string,
  context: { readonly serving: ForgeProcess; readonly base: string; readonly world: CrashScenario }
) => Promise<unknown>

/** The writes to a new issue of `hello`. `at` is the API path of the issue. */
const steps: Readonly<Record<string, Step>> = {
  close: async (issue, at, { serving, world: { ledger } }) => {
    const set = (state: string, event: string) =>
      WrittenIssue.change(
        ledger,
        [[issue, { state, added: [event] }]],
        () => request(serving, "PATCH", at, { state }),
        200,
        [`issues ${event} hello ${issue.title}`]
      )
    await set("closed", "closed")
    await set("open", "reopened")
  },

  label: (issue, at, { serving, world: { ledger } }) =>
    WrittenIssue.change(
      ledger,
      [[issue, { labels: ["bug"], added: ["labeled bug"] }]],
      () => request(serving, "POST", `${at}/labels`, { labels: ["bug"] }),
      200,
      [`issues labeled hello ${issue.title}`]
    ),

  assign: (issue, at, { base, serving, world: { ledger } }) =>
    WrittenIssue.change(
      ledger,
      [[issue, { assignees: 1, added: ["assigned"] }]],
      () => request(serving, "POST", `${at}/assignees`, { assignees: [base.split("/")[2]] }),
      201,
      [`issues assigned hello ${issue.title}`]
    ),

  milestone: (issue, at, { serving, world: { ledger } }) =>
    WrittenIssue.change(
      ledger,
      [[issue, { milestone: SHARED, added: ["milestoned"] }]],
      () => request(serving, "PATCH", at, { milestone: 1 }),
      200,
      [`issues milestoned hello ${issue.title}`]
    ),

  react: (issue, at, { serving, world: { ledger } }) =>
    WrittenIssue.change(
      ledger,
      [[issue, { hearts: 1 }]],
      () => request(serving, "POST", `${at}/reactions`, { content: "heart" }),
      201,
      []
    ),

  lock: (issue, at, { serving, world: { ledger } }) =>
    WrittenIssue.change(
      ledger,
      [[issue, { isLocked: true, added: ["locked"] }]],
      () => request(serving, "PUT", `${at}/lock`, {}),
      204,
      [`issues locked hello ${issue.title}`]
    ),

  comment: async (issue, at, { base, serving, world: { ledger } }) => {
    const body = `first${issue.title}`
    const { id } = await WrittenIssue.change(
      ledger,
      [[issue, { comments: 1, added: [`commented ${body}`] }]],
      () => request(serving, "POST", `${at}/comments`, { body }),
      201,
      [`issue_comment created hello ${issue.title} ${body}`]
    )
    await WrittenIssue.change(
      ledger,
      [[issue, { comments: 0, removed: `commented ${body}` }]],
      () => request(serving, "DELETE", `${base}/issues/comments/${id}`),
      204,
      [`issue_comment deleted hello ${issue.title} ${body}`]
    )
  },

  addSubIssue: async (issue, at, { base, serving, world: { ledger } }) => {
    const child = await create(serving, base, `${issue.title}child`, ledger)
    const parent = `hello ${issue.number}`
    await WrittenIssue.change(
      ledger,
      [
        [issue, { subIssues: [1, 0], added: ["sub_issue_added"] }],
        [child, { parent, added: ["parent_issue_added"] }]
      ],
      () => request(serving, "POST", `${at}/sub_issues`, { sub_issue_id: child.id }),
      201,
      []
    )
    await WrittenIssue.change(
      ledger,
      [
        [issue, { subIssues: [1, 1] }],
        [child, { state: "closed", added: ["closed"] }]
      ],
      () => request(serving, "PATCH", `${base}/issues/${child.number}`, { state: "closed" }),
      200,
      [`issues closed hello ${child.title}`]
    )
  },

  transfer: async (issue, _, { base, serving, world: { ledger } }) => {
    const { json: other } = await request(serving, "GET", otherOf(base))
    const query = `mutation ($input: TransferIssueInput!) { transferIssue(input: $input) { issue { number } } }`
    const variables = { input: { issueId: issue.nodeId, repositoryId: other.node_id } }
    const json = await WrittenIssue.change(
      ledger,
      [[issue, { repository: "other", added: ["transferred"] }]],
      async () => {
        const { json, status } = await request(serving, "POST", "/graphql", { query, variables })
        // The errors of a document have status 200.
        return { json, status: json.errors === undefined ? status : 0 }
      },
      200,
      [`issues transferred hello ${issue.title}`, `issues opened other ${issue.title}`]
    )
    ledger.addNumber("other", json.data.transferIssue.issue.number, issue.title)
  }
}

/** Creates issues, and changes each in one way. */
const changes = (random: () => number): Writer => {
  return async (serving, base, name, index, world) => {
    const issue = await create(serving, base, wordOf(name, index), world.ledger)
    const names = Object.keys(steps)
    const step = names[Math.floor(random() * names.length)] ?? ""
    world.ledger.count(step)
    await steps[step]?.(issue, `${base}/issues/${issue.number}`, { base, serving, world })
  }
}

/** Comments on the shared issue. */
const comments: Writer = async (serving, base, name, index, { ledger }) => {
  const body = wordOf(name, index)
  const send = () => request(serving, "POST", `${base}/issues/1/comments`, { body })
  await ledger.write(`comment ${body}`, SHARED, send, 201, `issue_comment created hello ${SHARED} ${body}`)
}

/** Pushes commits to two branches of `other`. Each closes an issue of `other` and one of `hello`. */
const closings: Writer = async (serving, base, name, index, { clone, ledger, other }) => {
  const title = wordOf(name, index)
  ledger.count("closing")
  const near = await create(serving, base, title, ledger, "other")
  const far = await create(serving, base, `${title}far`, ledger)
  const main = git(other, ["rev-parse", "main"])
  const text = `${title}\n\nCloses #${near.number}, and fixes ${base.slice("/repos/".length)}#${far.number}`
  const sha = git(clone, ["commit-tree", "-p", main, "-m", text, `${main}^{tree}`])
  const branch = `refs/heads/${title}`
  const url = cloneUrl(serving, otherOf(base).slice("/repos/".length))
  const change = { state: "closed", added: [`referenced ${sha}`, `closed ${sha}`] }
  await WrittenIssue.change(
    ledger,
    [
      [near, change],
      [far, change]
    ],
    () => push(clone, url, `${sha}:refs/heads/main`, `${sha}:${branch}`),
    0,
    [
      `push refs/heads/main ${sha}`,
      `create ${branch}`,
      `issues closed other ${near.title}`,
      `issues closed hello ${far.title}`
    ],
    [
      ["main", sha],
      [`ref ${branch}`, sha]
    ]
  )
}

/** A word that is unique among all titles and comments. */
const wordOf = (name: string, index: number) => `${name}-${index}`.replaceAll("-", "x")

export const writers: ReadonlyArray<readonly [string, Writer]> = [
  ["issues-a", changes(randomOf(seed + 1))],
  ["issues-b", changes(randomOf(seed + 2))],
  ["comments-a", comments],
  ["comments-b", comments],
  ["closings", closings]
]

/** The change in a delivery, with the ledger's name; undefined for the shared issue. */
export const noticeOf = (event: string, { action, comment, issue, repository }: JsonResponse["json"]) => {
  const words = [event, action, repository.name, issue.title, ...(comment === undefined ? [] : [comment.body])]
  return words.join(" ") === `issues opened hello ${SHARED}` ? undefined : words.join(" ")
}
