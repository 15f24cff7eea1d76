/**
 * A process is stopped in the middle of moves of references, for longer than its locks last. Other processes move the same
 * references. When it continues, it moves none of them: the moves of the other processes stay.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it, vi } from "vitest"
import { git, request } from "../acceptance/ForgeProcess.test-support.ts"
import { createClone, runGit } from "../acceptance/GitPush.test-support.ts"
import { startCluster } from "./Cluster.test-support.ts"
import * as ClusterChecks from "./ClusterChecks.test-support.ts"
import { createRepository, loginOf, remoteOf, setting } from "./ClusterRepository.test-support.ts"
import { WriteLedger } from "./WriteLedger.test-support.ts"

const rounds = setting("TONGS_TEST_FENCES", 10)

/** Branches that move at the same time: half by the API, half by pushes. */
const BRANCHES = 16

/** Seconds for which a process is stopped: longer than its locks last. */
const seconds = setting("TONGS_TEST_FAULT_SECONDS", 15)

/** Milliseconds until the other processes have moved all references. */
const MOVE_LIMIT = 60_000

/** Milliseconds until the events of all moves are recorded. */
const SETTLE_LIMIT = 120_000

it(
  `a process that was stopped for ${seconds} s moves no reference, ${rounds} times`,
  { timeout: 3_600_000 },
  async () => {
    let commits: readonly [string, string] = ["", ""]
    const cluster = await startCluster({
      flags: ["--allow-local-webhooks"],
      prepare: ({ repositories, root }) => {
        commits = createRepository(root, repositories, "fence")
      }
    })
    const { data, members, repositories, root } = cluster
    const path = join(repositories, "fence.git")
    const fullName = `${await loginOf(cluster)}/fence`
    const base = `/repos/${fullName}`
    const clone = createClone(root)
    // The objects of all commits, also of those that no reference has yet.
    writeFileSync(join(clone, ".git/objects/info/alternates"), `${path}/objects\n`)
    // Its deliveries are the log of the moves.
    const hook = { config: { url: "http://127.0.0.1:9/", content_type: "json" }, events: ["push"] }
    expect((await request(cluster, "POST", `${base}/hooks`, hook)).status).toBe(201)
    const ledger = new WriteLedger()
    const problems: Array<string> = []
    const outcomes = new Map<string, number>()
    const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)

    const newCommit = (parent: string, text: string) =>
      git(path, ["commit-tree", "-p", parent, "-m", text, `${commits[1]}^{tree}`])
    /** Pushes from a clone that has all objects. */
    const push = async (url: string, refspec: string) => {
      const { code, stderr } = await runGit(clone, "push", "--quiet", url, refspec)
      return { isAccepted: code === 0, text: stderr }
    }

    for (let round = 0; round < rounds; round++) {
      const stopped = members[round % members.length]
      const others = members.filter((member) => member !== stopped)
      if (stopped === undefined) throw new Error("Expected a process")
      const branches = Array.from({ length: BRANCHES }, (_, index) => `refs/heads/round-${round}/${index}`)
      for (const ref of branches)
        expect((await request(cluster, "POST", `${base}/git/refs`, { ref, sha: commits[0] })).status).toBe(201)

      // Moves through the process that stops, again and again, so that the stop meets one. Each is a fast-forward, so that
      // none is possible after the move of another process.
      const last = new Map<string, string>()
      const state = { isStopped: false }
      const move = async (ref: string, index: number) => {
        let [parent] = commits
        for (let turn = 0; !state.isStopped; turn++) {
          const sha = newCommit(parent, `${round} ${index} ${turn}`)
          parent = sha
          if (index % 2 === 0) {
            const outcome = await ledger.send(stopped, "PATCH", `${base}/git/${ref}`, { sha })
            if (state.isStopped) return count(outcome.isKnown ? `answered ${outcome.status}` : outcome.reason)
            if (!outcome.isKnown || outcome.status !== 200) problems.push(`${ref}: ${JSON.stringify(outcome)}`)
          } else {
            const { isAccepted, text } = await push(remoteOf(stopped, fullName), `${sha}:${ref}`)
            if (state.isStopped) return count(isAccepted ? "push accepted" : "push failed")
            if (!isAccepted) problems.push(`${ref}: ${text}`)
          }
        }
      }
      const moving = Promise.all(branches.map(move))
      await setTimeout(1_000 + 50 * (round % 7))
      state.isStopped = true
      stopped.stop()

      // The other processes move all branches, as soon as they own them.
      const moveElsewhere = async (ref: string, index: number) => {
        const sha = newCommit(commits[1], `winner ${round} ${index}`)
        for (const start = performance.now(); ; await setTimeout(250)) {
          const other = others[index % others.length]
          if (other === undefined) throw new Error("Expected another process")
          const { isAccepted, text } = await push(remoteOf(other, fullName), `+${sha}:${ref}`)
          if (isAccepted) return last.set(ref, sha)
          if (performance.now() - start > MOVE_LIMIT) {
            problems.push(`${ref} could not be moved by another process: ${text}`)
            return
          }
        }
      }
      await Promise.all([Promise.all(branches.map(moveElsewhere)), setTimeout(seconds * 1_000)])
      stopped.proceed()
      await moving
      await setTimeout(2_000)
      for (const [ref, sha] of last) {
        const actual = git(path, ["rev-parse", ref])
        if (actual !== sha) problems.push(`round ${round}: ${ref} moved back to ${actual} from ${sha}`)
        for (const member of members) {
          if (!member.isRunning()) continue
          const { json } = await request(member, "GET", `${base}/git/${ref.replace("refs/", "ref/")}`)
          if (json.object?.sha !== sha)
            problems.push(`process ${member.index} shows ${JSON.stringify(json.object)} of ${ref}`)
        }
      }
      if (!stopped.isRunning()) {
        count("the process ended")
        await stopped.restart()
      }
    }
    const repository = { fullName, path, commits }
    const isSettled = async () => expect(await ClusterChecks.pendingMoves(data)).toEqual([])
    await vi.waitFor(isSettled, { timeout: SETTLE_LIMIT, interval: 500 }).catch(() => {})
    console.log([...outcomes].map(([name, times]) => `${name}: ${times}`).join("\n"))
    for (const { index, messages } of members) console.log(`process ${index}:`, messages().slice(-20).join("\n"))
    expect({
      problems,
      pending: await ClusterChecks.pendingMoves(data),
      violations: ledger.violations,
      ...(await ClusterChecks.wrongMoves(data, new WriteLedger(), [repository])),
      damaged: ClusterChecks.damaged([repository])
    }).toEqual({ problems: [], pending: [], violations: [], counts: [], order: [], damaged: [] })
  }
)
