/**
 * Processes of a cluster are killed, stopped and partitioned at random during a mixed load. Nothing acknowledged is lost,
 * nothing exists twice, and each repository is soon served again.
 */
import { setTimeout } from "node:timers/promises"
import { expect, it, vi } from "vitest"
import { randomOf, seed } from "../acceptance/ClockJumps.test-support.ts"
import { request } from "../acceptance/ForgeProcess.test-support.ts"
import { receiver } from "../acceptance/WebhookReceiver.test-support.ts"
import { Availability } from "./Availability.test-support.ts"
import { startCluster } from "./Cluster.test-support.ts"
import * as ClusterChecks from "./ClusterChecks.test-support.ts"
import { createRepository, loginOf, setting } from "./ClusterRepository.test-support.ts"
import * as MixedLoad from "./MixedLoad.test-support.ts"
import * as Network from "./Network.test-support.ts"
import { WriteLedger } from "./WriteLedger.test-support.ts"

interface Plan {
  readonly kills: number
  readonly stops: number
  readonly partitions: number
  readonly clients: number
  /** Longest time in milliseconds in which a repository may give no answer after a fault. */
  readonly longest: number
}

/** Seconds of a stop and of a partition: longer than the locks of a process last. */
const seconds = setting("TONGS_TEST_FAULT_SECONDS", 15)

/** Number of repositories, so that each process owns some. */
const REPOSITORIES = 6

/** Milliseconds until all repositories are served after a fault, and until all deliveries are sent. */
const RECOVERY_LIMIT = 60_000
const DELIVERY_LIMIT = 300_000

/** Seconds after which an open transaction is named. */
const BLOCKED_SECONDS = 3

const missing = Network.missing()

/** The faults in random order. */
const faultsOf = ({ kills, partitions, stops }: Plan, random: () => number) => {
  const faults = [
    ...Array.from({ length: kills }, () => "kill" as const),
    ...Array.from({ length: stops }, () => "stop" as const),
    ...Array.from({ length: missing === undefined ? partitions : 0 }, () => "partition" as const)
  ]
  return faults.map((fault) => ({ fault, order: random() })).toSorted((one, other) => one.order - other.order)
}

const run = async (plan: Plan) => {
  const { clients, longest } = plan
  const random = randomOf(seed)
  const commits: Array<readonly [string, string]> = []
  const names = Array.from({ length: REPOSITORIES }, (_, index) => `load-${index}`)
  const cluster = await startCluster({
    hasNetwork: missing === undefined,
    flags: ["--allow-local-webhooks"],
    prepare: ({ repositories, root }) => {
      for (const name of names) commits.push(createRepository(root, repositories, name))
    }
  })
  const { data, members } = cluster
  const login = await loginOf(cluster)
  const repositories = names.map((name, index) => ({
    fullName: `${login}/${name}`,
    path: `${cluster.repositories}/${name}.git`,
    commits: commits[index] ?? ["", ""]
  }))
  const { received, url } = await receiver(cluster.network?.bridge)
  const events = ["push", "create", "delete", "issues", "issue_comment"]
  for (const { fullName } of repositories) {
    const hook = { config: { url, content_type: "json" }, events }
    expect((await request(cluster, "POST", `/repos/${fullName}/hooks`, hook)).status).toBe(201)
  }
  const ledger = new WriteLedger()
  const load: MixedLoad.Load = { cluster, repositories, ledger, random, gitFailures: new Map(), isEnded: false }
  const availability = new Availability(load)
  const work = Promise.all([MixedLoad.run(load, clients), availability.run()])

  const inject = async () => {
    await setTimeout(3_000)
    const faults = faultsOf(plan, random)
    for (const [at, { fault }] of faults.entries()) {
      const member = members[Math.floor(random() * members.length)]
      if (member === undefined) throw new Error("Expected a process")
      const kind = Network.partitions[Math.floor(random() * Network.partitions.length)] ?? "both directions"
      availability.begin()
      if (fault === "kill") await member.kill()
      else if (fault === "stop") member.stop()
      else member.partition(kind)
      // Another process takes over the repositories of a killed one, which starts again before or after that.
      await setTimeout(fault === "kill" ? random() * seconds * 1_000 : seconds * 1_000)
      if (fault === "kill") await member.restart()
      else if (fault === "stop") member.proceed()
      else member.heal()
      const name = fault === "partition" ? `partition (${kind})` : fault
      const gap = await availability.end(name, RECOVERY_LIMIT)
      console.log(`${at + 1} of ${faults.length}: ${name} of process ${member.index}, ${gap} ms without an answer`)
      // A process that lost its locks may end itself.
      if (!member.isRunning()) {
        console.log(`process ${member.index} ended after ${fault}: ${member.messages().slice(-5).join("\n")}`)
        await member.restart()
      }
      await setTimeout(1_000 + random() * 2_000)
    }
  }
  const blockers = new Map<string, number>()
  const watch = async () => {
    for (; !load.isEnded; await setTimeout(1_000)) {
      // Only explains the figures, so that a server that is too busy for another connection fails no test.
      const open = await ClusterChecks.longTransactions(data, BLOCKED_SECONDS).catch(() => [])
      for (const one of open) {
        const name = one.replace(/ for \d+ s/, "").replaceAll(/\s+/g, " ")
        blockers.set(name, (blockers.get(name) ?? 0) + 1)
      }
    }
  }
  const watching = watch()
  await Promise.race([inject(), work]).finally(() => (load.isEnded = true))
  await Promise.all([work, watching])

  const counts = [...ledger.counts].map(([name, count]) => `${name}: ${count}`).toSorted()
  console.log(
    [
      `balancer ${cluster.balancer}, ${missing === undefined ? "network namespaces" : `no partitions: ${missing}`}`,
      `${ledger.acknowledged.size} acknowledged things, ${ledger.unknown.size} unknown, ${received.length} deliveries`,
      ...counts,
      ...[...load.gitFailures].map(([message, count]) => `${count} × ${message}`),
      ...availability.summary(),
      ...[...blockers].map(([name, count]) => `${count} s longer than ${BLOCKED_SECONDS} s: ${name}`)
    ].join("\n")
  )
  const isSettled = async () => expect((await ClusterChecks.unsent(data)).length).toBe(0)
  const settled = await vi.waitFor(isSettled, { timeout: DELIVERY_LIMIT, interval: 500 }).then(
    () => [],
    async () => (await ClusterChecks.unsent(data)).slice(0, 10)
  )
  // Every difference, so that one run shows all.
  const tooLong = availability.gaps
    .filter(({ milliseconds }) => milliseconds > longest)
    .map(({ fault, kind, milliseconds, repository }) => `${fault}: no ${kind} of ${repository} for ${milliseconds} ms`)
  expect({
    unsent: settled,
    violations: ClusterChecks.distinct(ledger.violations),
    refs: ClusterChecks.wrongRefs(ledger, repositories),
    damaged: ClusterChecks.damaged(repositories),
    rows: await ClusterChecks.wrongRows(data, ledger),
    ...(await ClusterChecks.wrongMoves(data, ledger, repositories)),
    notices: await ClusterChecks.wrongNotices(data),
    deliveries: await ClusterChecks.wrongDeliveries(data, received),
    tooLong
  }).toEqual({
    unsent: [],
    violations: [],
    refs: [],
    damaged: [],
    rows: [],
    counts: [],
    order: [],
    notices: [],
    deliveries: [],
    tooLong: []
  })
  expect(ledger.acknowledged.size).toBeGreaterThan(100)
}

const TIMEOUT = 10_800_000

if (missing !== undefined) it.skip(`partitions lose nothing (${missing})`)

/** Many clients use all of a small machine, so that the time until an answer says little. */
const many: Plan = {
  kills: setting("TONGS_TEST_KILLS", 50),
  stops: setting("TONGS_TEST_STOPS", 20),
  partitions: setting("TONGS_TEST_PARTITIONS", 20),
  clients: setting("TONGS_TEST_CLIENTS", 64),
  longest: RECOVERY_LIMIT
}

it(
  `${many.kills} SIGKILLs, ${many.stops} SIGSTOPs and ${many.partitions} partitions lose nothing (TONGS_TEST_SEED=${seed})`,
  { timeout: TIMEOUT },
  () => run(many)
)

it("another process answers two seconds after the locks of a killed one have expired", { timeout: TIMEOUT }, () =>
  run({ kills: setting("TONGS_TEST_FEW_KILLS", 6), stops: 0, partitions: 0, clients: 8, longest: 12_000 })
)
