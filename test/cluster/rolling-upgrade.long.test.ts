/**
 * The processes of a cluster are replaced one after another, by SIGTERM and a start of the next version, under load. No
 * request fails.
 */
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { git } from "../acceptance/ForgeProcess.test-support.ts"
import { runGit } from "../acceptance/GitPush.test-support.ts"
import { program } from "../acceptance/TongsCommand.test-support.ts"
import { startCluster } from "./Cluster.test-support.ts"
import * as ClusterChecks from "./ClusterChecks.test-support.ts"
import { isSupported } from "./ClusterFlags.test-support.ts"
import { createRepository, loginOf, remoteOf, setting } from "./ClusterRepository.test-support.ts"
import * as PreviousBuild from "./PreviousBuild.test-support.ts"
import { WriteLedger } from "./WriteLedger.test-support.ts"

/** Requests a second, half of them writes. */
const perSecond = setting("TONGS_TEST_REQUESTS", 50)

/** Milliseconds of load before, between and after the replacements. */
const SETTLED = 5_000

const REPOSITORIES = 6

/** Exit codes of a process that ends in order after SIGTERM: previous versions have the one that shells report. */
const ordinaryEnds = [0, 128 + 15]

interface Upgrade {
  /** Number of times that all processes are replaced. */
  readonly rounds: number
  readonly from: string
}

const expectUpgrade = async ({ from, rounds }: Upgrade) => {
  const commits: Array<readonly [string, string]> = []
  const names = Array.from({ length: REPOSITORIES }, (_, index) => `upgrade-${index}`)
  const cluster = await startCluster({
    program: from,
    prepare: ({ repositories, root }) => {
      for (const name of names) commits.push(createRepository(root, repositories, name))
    }
  })
  const login = await loginOf(cluster)
  const repositories = names.map((name, index) => ({
    fullName: `${login}/${name}`,
    path: join(cluster.repositories, `${name}.git`),
    commits: commits[index] ?? ["", ""]
  }))
  const ledger = new WriteLedger()
  const failures = new Map<string, number>()
  const fail = (text: string) => failures.set(text, (failures.get(text) ?? 0) + 1)
  let phase = "before"
  let slowest = 0
  const state = { isEnded: false }
  const begun: Array<Promise<void>> = []

  const one = async (index: number) => {
    const repository = repositories[index % repositories.length]
    if (repository === undefined) throw new Error("Expected a repository")
    const { fullName } = repository
    const at = `/repos/${fullName}`
    const start = performance.now()
    const send = (method: string, path: string, body?: unknown) => ledger.send(cluster, method, path, body)
    const kinds = [
      () => send("GET", `${at}/git/ref/heads/main?n=${index}`),
      () => {
        const ref = `refs/heads/new-${index}`
        const create = () => send("POST", `${at}/git/refs`, { ref, sha: repository.commits[0] })
        return ledger.write(`ref ${fullName} ${ref}`, repository.commits[0], 201, create)
      },
      () => send("GET", `${at}/issues?n=${index}`),
      () => {
        const title = `issue-${index}`
        const create = () => send("POST", `${at}/issues`, { title })
        return ledger.write(`issue ${fullName} ${title}`, "open", 201, create)
      }
    ]
    const begun = phase
    const outcome = await kinds[Math.floor(index / repositories.length) % kinds.length]?.()
    const millis = performance.now() - start
    slowest = Math.max(slowest, millis)
    if (outcome !== undefined && (!("isKnown" in outcome) || (outcome.isKnown && outcome.status < 400))) return
    // A write with an unknown outcome has no reason here.
    const reason = outcome !== undefined && "reason" in outcome ? outcome.reason : "a write"
    fail(`${begun}: ${reason} after ${Math.round(millis / 1_000)} s`)
  }
  const requests = async () => {
    for (let index = 0; !state.isEnded; index++) {
      begun.push(one(index))
      await setTimeout(1_000 / perSecond)
    }
    await Promise.all(begun)
  }
  /** A client with git, which repeats nothing. */
  const pushes = async () => {
    const [repository] = repositories
    if (repository === undefined) throw new Error("Expected a repository")
    const clone = join(cluster.root, "push")
    git(cluster.root, ["clone", "--quiet", "--bare", repository.path, clone])
    for (let index = 0; !state.isEnded; index++) {
      const ref = `refs/heads/pushed/${index}`
      const remote = remoteOf(cluster, repository.fullName)
      const { code, stderr } = await runGit(clone, "push", "--quiet", remote, `${repository.commits[1]}:${ref}`)
      if (code === 0) ledger.acknowledged.set(`ref ${repository.fullName} ${ref}`, repository.commits[1])
      else fail(`${phase}: push: ${stderr}`)
    }
  }
  const load = Promise.all([requests(), pushes()])
  const replace = async () => {
    await setTimeout(SETTLED)
    for (let round = 0; round < rounds; round++) {
      for (const member of cluster.members) {
        phase = `round ${round}, SIGTERM of process ${member.index}`
        expect(ordinaryEnds).toContain(await member.terminate())
        phase = `round ${round}, start of process ${member.index}`
        await member.restart(program)
        phase = `round ${round}, after process ${member.index}`
        await setTimeout(SETTLED)
      }
    }
  }
  await Promise.race([replace(), load]).finally(() => (state.isEnded = true))
  await load
  console.log(
    `${begun.length} requests, the slowest took ${Math.round(slowest)} ms\n` +
      [...ledger.counts].map(([name, count]) => `${name}: ${count}`).join("\n")
  )
  for (const { index, messages } of cluster.members) console.log(`process ${index}:`, messages().slice(-20).join("\n"))
  expect({
    failures: [...failures].map(([text, count]) => `${count} × ${text}`),
    violations: ClusterChecks.distinct(ledger.violations),
    refs: ClusterChecks.wrongRefs(ledger, repositories),
    rows: await ClusterChecks.wrongRows(cluster.data, ledger)
  }).toEqual({ failures: [], violations: [], refs: [], rows: [] })
}

it("SIGTERM and a restart of each process fail no request", { timeout: 600_000 }, () =>
  expectUpgrade({ rounds: 1, from: program })
)

it("an upgrade from the previous commit fails no request", { timeout: 3_600_000 }, async ({ skip }) => {
  const previous = PreviousBuild.build()
  if (typeof previous === "string") return skip(previous)
  // Processes with and without the flags are not one cluster.
  if (isSupported(previous.program) !== isSupported(program)) return skip(`${previous.commit} knows no clusters`)
  await expectUpgrade({ rounds: 1, from: previous.program })
})
