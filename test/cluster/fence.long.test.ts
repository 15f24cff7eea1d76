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
import type { LoadedRepository } from "./MixedLoad.test-support.ts"
import { WriteLedger } from "./WriteLedger.test-support.ts"

const rounds = setting("TONGS_TEST_FENCES", 10)

/** Branches that move at the same time: half by the API, half by pushes. */
const BRANCHES = 16

/** Number of repositories, so that each process owns some. */
const REPOSITORIES = 6

interface Branch {
  readonly index: number
  readonly ref: string
  readonly repository: LoadedRepository
  readonly base: string
}

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
    const commits: Array<readonly [string, string]> = []
    const names = Array.from({ length: REPOSITORIES }, (_, index) => `fence-${index}`)
    const cluster = await startCluster({
      flags: ["--allow-local-webhooks"],
      prepare: ({ repositories, root }) => {
        for (const name of names) commits.push(createRepository(root, repositories, name))
      }
    })
    const { data, members, root } = cluster
    const login = await loginOf(cluster)
    const repositories = names.map((name, index) => ({
      fullName: `${login}/${name}`,
      path: join(cluster.repositories, `${name}.git`),
      commits: commits[index] ?? ["", ""]
    }))
    const clone = createClone(root)
    // The objects of all commits, also of those that no reference has yet.
    const objects = repositories.map(({ path }) => `${path}/objects\n`)
    writeFileSync(join(clone, ".git/objects/info/alternates"), objects.join(""))
    // The deliveries are the log of the moves.
    const hook = { config: { url: "http://127.0.0.1:9/", content_type: "json" }, events: ["push"] }
    for (const { fullName } of repositories)
      expect((await request(cluster, "POST", `/repos/${fullName}/hooks`, hook)).status).toBe(201)
    const ledger = new WriteLedger()
    const problems: Array<string> = []
    const outcomes = new Map<string, number>()
    const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)

    const newCommit = ({ commits, path }: LoadedRepository, parent: string, text: string) =>
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
      const branches = Array.from({ length: BRANCHES }, (_, index): Branch => {
        const repository = repositories[index % REPOSITORIES]
        if (repository === undefined) throw new Error("Expected a repository")
        return { index, ref: `refs/heads/round-${round}/${index}`, repository, base: `/repos/${repository.fullName}` }
      })
      for (const { base, ref, repository } of branches) {
        // The process of the round before may still get its repositories back. A repetition finds the branch.
        const create = () => request(cluster, "POST", `${base}/git/refs`, { ref, sha: repository.commits[0] })
        const isCreated = async () => expect([201, 422]).toContain((await create()).status)
        await vi.waitFor(isCreated, { timeout: MOVE_LIMIT, interval: 250 })
      }

      // Moves through the process that stops, again and again, so that the stop meets one. Each is a fast-forward, so that
      // none is possible after the move of another process.
      const last = new Map<Branch, string>()
      const state = { isStopped: false }
      const move = async ({ base, index, ref, repository }: Branch) => {
        let [parent] = repository.commits
        for (let turn = 0; !state.isStopped; turn++) {
          const sha = newCommit(repository, parent, `${round} ${index} ${turn}`)
          parent = sha
          if (index % 2 === 0) {
            const outcome = await ledger.send(stopped, "PATCH", `${base}/git/${ref}`, { sha })
            if (state.isStopped) return count(outcome.isKnown ? `answered ${outcome.status}` : outcome.reason)
            if (!outcome.isKnown || outcome.status !== 200) problems.push(`${ref}: ${JSON.stringify(outcome)}`)
          } else {
            const { isAccepted, text } = await push(remoteOf(stopped, repository.fullName), `${sha}:${ref}`)
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
      const moveElsewhere = async (branch: Branch) => {
        const { index, ref, repository } = branch
        const sha = newCommit(repository, repository.commits[1], `winner ${round} ${index}`)
        for (const start = performance.now(); ; await setTimeout(250)) {
          const other = others[index % others.length]
          if (other === undefined) throw new Error("Expected another process")
          const { isAccepted, text } = await push(remoteOf(other, repository.fullName), `+${sha}:${ref}`)
          if (isAccepted) return last.set(branch, sha)
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
      for (const [{ base, ref, repository }, sha] of last) {
        const actual = git(repository.path, ["rev-parse", ref])
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
    const isSettled = async () => expect(await ClusterChecks.pendingMoves(data)).toEqual([])
    await vi.waitFor(isSettled, { timeout: SETTLE_LIMIT, interval: 500 }).catch(() => {})
    console.log([...outcomes].map(([name, times]) => `${name}: ${times}`).join("\n"))
    for (const { index, messages } of members) console.log(`process ${index}:`, messages().slice(-20).join("\n"))
    expect({
      problems,
      pending: await ClusterChecks.pendingMoves(data),
      violations: ledger.violations,
      ...(await ClusterChecks.wrongMoves(data, new WriteLedger(), repositories)),
      damaged: ClusterChecks.damaged(repositories)
    }).toEqual({ problems: [], pending: [], violations: [], counts: [], order: [], damaged: [] })
  }
)
