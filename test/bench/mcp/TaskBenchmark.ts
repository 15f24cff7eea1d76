/** Counts the tokens and calls of common tasks of agents: `tongs mcp`, `github-mcp-server`, and a shell. */
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Benchmark } from "../Benchmark.ts"
import * as Report from "../Report.ts"
import * as McpSession from "./McpSession.ts"
import { codeTasks } from "./tasks/CodeTasks.ts"
import { forgeTasks } from "./tasks/ForgeTasks.ts"
import { historyTasks } from "./tasks/HistoryTasks.ts"
import * as Peers from "./tasks/Peers.ts"
import { type PeerName, peerNames, type Task } from "./tasks/Task.ts"
import * as TaskForge from "./tasks/TaskForge.ts"
import * as TaskRun from "./tasks/TaskRun.ts"
import { writeTasks } from "./tasks/WriteTasks.ts"

const allTasks: ReadonlyArray<Task> = [...codeTasks, ...historyTasks, ...writeTasks, ...forgeTasks]

/** A task that a peer cannot do has only the reason. */
type Outcome = TaskRun.Measured | { readonly reason: string }

interface PeerResult {
  readonly listTokens: number
  readonly outcomes: ReadonlyMap<Task, Outcome>
}

const isMeasured = (outcome: Outcome | undefined): outcome is TaskRun.Measured =>
  outcome !== undefined && "tokens" in outcome

const isDone = (outcome: Outcome | undefined): outcome is TaskRun.Measured =>
  isMeasured(outcome) && outcome.problems.length === 0

/** Does all tasks with one peer, on a forge of its own, because some tasks change data. */
const measure = Effect.fnUntraced(function* (name: PeerName) {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  // The peers read GitHub's media types.
  const forge = yield* TaskForge.serve(home, name === "tongs" ? "service" : "github")
  return yield* BenchmarkEnvironment.tryPromise(async (): Promise<PeerResult | undefined> => {
    const peer = await Peers.make[name](forge, home)
    if (peer === undefined) return undefined
    try {
      const outcomes = new Map<Task, Outcome>()
      for (const task of allTasks) {
        const script = task.scripts[name]
        outcomes.set(
          task,
          typeof script === "string" ? { reason: script } : await TaskRun.run(task, script, peer, forge.get)
        )
      }
      return { listTokens: McpSession.tokens(peer.list), outcomes }
    } finally {
      await peer.close()
    }
  })
}, Effect.scoped)

type Results = ReadonlyMap<PeerName, PeerResult>

/** Sums a peer's calls and tokens over the tasks that both `tongs` and the peer have done. */
const total = (results: Results, name: PeerName, other: PeerName = name) => {
  const measured = allTasks.flatMap((task) => {
    const outcome = results.get(name)?.outcomes.get(task)
    return isDone(outcome) && isDone(results.get(other)?.outcomes.get(task)) ? [outcome] : []
  })
  return {
    tasks: measured.length,
    calls: measured.reduce((sum, { calls }) => sum + calls, 0),
    tokens: measured.reduce((sum, { tokens }) => sum + tokens, 0)
  }
}

const taskRows = (results: Results): ReadonlyArray<Report.Row> =>
  allTasks.map((task, index) => ({
    "": index + 1,
    task: task.name,
    ...Object.fromEntries(
      [...results].flatMap(([name, { outcomes }]) => {
        const outcome = outcomes.get(task)
        return [
          [name, isDone(outcome) ? outcome.tokens : isMeasured(outcome) ? "failed" : "-"],
          [`calls, ${name}`, isDone(outcome) ? outcome.calls : undefined]
        ]
      })
    )
  }))

/** One row for each peer, on the tasks that both `tongs` and the peer have done. */
const totalRows = (results: Results): ReadonlyArray<Report.Row> =>
  [...results].map(([name, { listTokens }]) => {
    const own = total(results, name, "tongs")
    return {
      peer: name,
      done: `${own.tasks} of ${allTasks.length}`,
      calls: own.calls,
      tokens: own.tokens,
      "tokens of tongs for these": total(results, "tongs", name).tokens,
      "list of tools": listTokens
    }
  })

const notes = (results: Results): ReadonlyArray<string> =>
  [...results].flatMap(([name, { outcomes }]) =>
    [...outcomes].flatMap(([task, outcome]) => {
      if (!isMeasured(outcome)) return [`${name} cannot ${task.name}: ${outcome.reason}`]
      return outcome.problems.map((problem) => `${name} failed to ${task.name}: ${problem}`)
    })
  )

const run = Effect.fnUntraced(function* () {
  const results = new Map<PeerName, PeerResult>()
  for (const name of peerNames) {
    const result = yield* measure(name)
    if (result !== undefined) results.set(name, result)
  }
  const compare = (name: PeerName, share: number) => {
    const [ours, theirs] = [total(results, "tongs", name), total(results, name, "tongs")]
    return Report.atMost(ours.tokens / theirs.tokens, share, ` of its tokens, in ${theirs.tasks} tasks`)
  }
  return {
    sections: [
      { title: "Tasks, in tokens of o200k_base of calls and answers", rows: taskRows(results) },
      { title: "All tasks that tongs and the peer have done", rows: totalRows(results) }
    ],
    goals: [
      { goal: "tongs does all tasks", ...Report.atLeast(total(results, "tongs").tasks, allTasks.length, "") },
      ...(results.has("github-mcp-server")
        ? [{ goal: "at most a fifth of the tokens of github-mcp-server", ...compare("github-mcp-server", 0.2) }]
        : []),
      ...(results.has("shell") ? [{ goal: "fewer tokens than the shell", ...compare("shell", 1) }] : [])
    ],
    notes: [
      ...peerNames.filter((name) => !results.has(name)).map((name) => `${name}: its programs are not on the PATH`),
      ...notes(results)
    ]
  }
})

export const tasks: Benchmark = { name: "tasks", summary: "tokens and calls of an agent's common tasks", run }
