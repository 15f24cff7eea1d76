/**
 * A forge of several `tongs serve` processes on this machine: one PostgreSQL server, one data folder, and a load balancer.
 * Processes can be killed, stopped, partitioned, and started again at the same addresses.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { onTestFinished } from "vitest"
import * as TestDatabase from "@tongs/service/storage/TestDatabase.test-support"
import { compileCache, program as builtProgram } from "../acceptance/TongsCommand.test-support.ts"
import { temporaryFolder } from "../acceptance/ForgeProcess.test-support.ts"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { freePort, type PostgresServer, start as startPostgres } from "../postgres/PostgresServer.test-support.ts"
import * as Balancer from "./Balancer.test-support.ts"
import { clusterFlags } from "./ClusterFlags.test-support.ts"
import * as GuardedProcess from "./GuardedProcess.test-support.ts"
import * as Network from "./Network.test-support.ts"

/** The port of the examples in `docs/scale.md`, which a host of its own has free. */
const DOCUMENTED_PORT = 4190

export interface Member {
  readonly index: number
  /** URL of this process, past the balancer. */
  readonly url: string
  readonly token: string
  readonly pid: () => number
  readonly isRunning: () => boolean
  /** The last lines of stderr. */
  readonly messages: () => ReadonlyArray<string>
  readonly kill: () => Promise<void>
  /** Ends the process with SIGTERM. Returns the exit code. */
  readonly terminate: () => Promise<number | null>
  /** SIGSTOP and SIGCONT. */
  readonly stop: () => void
  readonly proceed: () => void
  /** Starts the ended process again at the same addresses, by default with the same program. */
  readonly restart: (program?: string) => Promise<void>
  readonly partition: (kind: Network.Partition) => void
  readonly heal: () => void
}

export interface Cluster {
  readonly root: string
  readonly data: string
  /** Folder with the repositories. */
  readonly repositories: string
  /** URL of the balancer. */
  readonly url: string
  readonly token: string
  readonly members: ReadonlyArray<Member>
  readonly balancer: Balancer.BalancerName
  readonly server: PostgresServer
  /** The network of the processes, if each has a namespace of its own. */
  readonly network: Network.Network | undefined
}

export interface Options {
  /** Number of processes, by default 3. */
  readonly processes?: number
  readonly flags?: ReadonlyArray<string>
  /** Gives each process a network namespace of its own, which partitions need. */
  readonly hasNetwork?: boolean
  /** The built program of all processes at the start. */
  readonly program?: string
  readonly balancer?: Balancer.BalancerName
  /** Creates repositories in the folder before the processes start. */
  readonly prepare?: (cluster: Pick<Cluster, "root" | "data" | "repositories">) => void
}

/** Milliseconds until a started process has its share of the cluster. */
const READY_LIMIT = 60_000

/** Starts a cluster, which ends with the test. */
export const startCluster = async (options: Options = {}): Promise<Cluster> => {
  const { flags = [], hasNetwork = false, prepare, processes = 3, program = builtProgram } = options
  const root = temporaryFolder()
  const data = join(root, "data")
  const repositories = join(root, "repos")
  mkdirSync(repositories)
  prepare?.({ root, data, repositories })
  const network = hasNetwork ? Network.create(processes) : undefined
  if (network !== undefined) onTestFinished(network.remove)
  const server = await startPostgres({
    isDurable: true,
    ...(network === undefined ? {} : { address: network.bridge })
  })
  onTestFinished(server.stop)
  TestDatabase.useServer(server.url)
  onTestFinished(() => TestDatabase.useServer())
  onTestFinished(() => ForgeRows.remove(root))
  const database = new URL((await ForgeRows.environment(data))["TONGS_DATABASE"] ?? "")
  const databasePort = database.port
  if (network !== undefined) database.hostname = network.bridge
  const addresses = await Promise.all(
    Array.from({ length: processes }, async (_, index) => ({
      address: network?.addressOf(index) ?? "127.0.0.1",
      port: await freePort(),
      internalPort: network === undefined ? await freePort() : DOCUMENTED_PORT
    }))
  )
  const targets = addresses.map(({ address, port }) => `http://${address}:${port}`)
  const balancerPort = await freePort()
  const url = `http://127.0.0.1:${balancerPort}`

  const launch = async (index: number, program: string) => {
    const { address = "", internalPort = 0, port = 0 } = addresses[index] ?? {}
    const home = join(root, `home-${index}`)
    mkdirSync(home, { recursive: true })
    const command = [
      ...(network?.launcherOf(index) ?? []),
      process.execPath,
      program,
      "serve",
      "--json",
      "--host",
      address,
      "--port",
      String(port),
      "--public-url",
      url,
      "--repos",
      repositories,
      "--data",
      data,
      ...clusterFlags({ program, address, port: internalPort, localData: join(root, `local-${index}`) }),
      ...flags
    ]
    const env = { PATH: process.env["PATH"], HOME: home, ...compileCache, TONGS_DATABASE: database.href }
    return GuardedProcess.start(command, { cwd: root, env })
  }
  // Before the removal of the folder and the database.
  const running: Array<GuardedProcess.GuardedProcess> = []
  onTestFinished(async () => void (await Promise.all(running.map((one) => one.end("SIGKILL")))))
  running.push(...(await Promise.all(targets.map((_, index) => launch(index, program)))))
  const programs = targets.map(() => program)
  const member = (url: string, index: number): Member => {
    const current = () => {
      const one = running[index]
      if (one === undefined) throw new Error(`No process ${index}`)
      return one
    }
    return {
      index,
      url,
      token: JSON.parse(current().line).token,
      pid: () => current().pid,
      isRunning: () => current().isRunning(),
      messages: () => current().messages,
      kill: async () => void (await current().end("SIGKILL")),
      terminate: () => current().end("SIGTERM"),
      stop: () => current().signal("SIGSTOP"),
      proceed: () => current().signal("SIGCONT"),
      restart: async (program = programs[index] ?? builtProgram) => {
        programs[index] = program
        running[index] = await launch(index, program)
        await isReady(url)
      },
      partition: (kind) => network?.partition(index, kind, databasePort),
      heal: () => network?.heal(index)
    }
  }
  const members = targets.map(member)
  await Promise.all(targets.map(isReady))
  const balancer = await Balancer.start({
    folder: root,
    port: balancerPort,
    targets,
    ...(options.balancer === undefined ? {} : { name: options.balancer })
  })
  onTestFinished(async () => void (await balancer.end()))
  const token = members[0]?.token ?? ""
  return { root, data, repositories, url, token, members, balancer: balancer.name, server, network }
}

/** Waits until a process is ready. A forge without `/readyz` is ready when it answers. */
const isReady = async (url: string): Promise<void> => {
  for (const start = performance.now(); ; await setTimeout(50)) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200 || answer?.status === 404) return
    if (performance.now() - start > READY_LIMIT) throw new Error(`${url} was not ready in time: ${answer?.status}`)
  }
}
