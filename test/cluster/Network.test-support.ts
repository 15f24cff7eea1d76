/**
 * A network on this machine: each process of a cluster is in a network namespace of its own, which a pair of virtual
 * interfaces joins to a bridge. Needs root, and Debian's `iproute2` and `nftables`.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { findProgram } from "../InstalledPrograms.test-support.ts"

/** Prefix of the namespaces and interfaces. The id of the test's process follows. */
const PREFIX = "tng"

/** Netfilter table with the rules of a partition, in the namespace of the process. */
const TABLE = "inet partition"

/** What a partition cuts off a process from: everything, in one direction or both, or some addresses. */
export const partitions = ["both directions", "incoming", "outgoing", "database", "peers"] as const
export type Partition = (typeof partitions)[number]

export interface Network {
  /** Address of the bridge, at which the namespaces reach servers of this machine. */
  readonly bridge: string
  /** Address of a process. */
  readonly addressOf: (member: number) => string
  /** Command that starts a program in the namespace of a process. */
  readonly launcherOf: (member: number) => ReadonlyArray<string>
  /** Drops packets of a process. Existing connections stay open, as behind a broken switch. */
  readonly partition: (member: number, kind: Partition, databasePort: string) => void
  readonly heal: (member: number) => void
  /** Delays all packets of a process. Returns false if this kernel has no `netem`. */
  readonly delay: (member: number, milliseconds: number) => boolean
  readonly remove: () => void
}

const run = (command: string, ...args: ReadonlyArray<string>) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Returns the reason why this machine has no namespaces, or undefined. */
export const missing = (): string | undefined => {
  if (process.platform !== "linux") return "no Linux"
  if (process.getuid?.() !== 0) return "not root"
  for (const program of ["ip", "nft"]) if (findProgram(program) === undefined) return `no ${program}`
  const name = `${PREFIX}${process.pid}-test`
  const added = spawnSync("ip", ["netns", "add", name], { encoding: "utf8" })
  if (added.status !== 0) return added.stderr.trim()
  spawnSync("ip", ["netns", "del", name])
  return undefined
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const namespaces = (): ReadonlyArray<string> =>
  run("ip", "netns", "list")
    .split("\n")
    .flatMap((line) => line.split(" ")[0] ?? [])
    .filter((name) => name.startsWith(PREFIX))

/** Kills the processes of namespaces and removes the namespaces, which also removes their interfaces. */
const removeNamespaces = (names: ReadonlyArray<string>) => {
  for (const name of names) {
    const { stdout } = spawnSync("ip", ["netns", "pids", name], { encoding: "utf8" })
    for (const pid of stdout.split("\n").filter(Boolean)) spawnSync("kill", ["-KILL", pid])
    spawnSync("ip", ["netns", "del", name])
  }
}

/** Removes the networks of test processes that ended without removing them. */
const sweep = () => {
  const ownerOf = (name: string) => Number(/^tng(\d+)/.exec(name)?.[1] ?? process.pid)
  removeNamespaces(namespaces().filter((name) => !isRunning(ownerOf(name))))
  const bridges = run("ip", "-o", "link", "show", "type", "bridge").matchAll(/^\d+: (tng(\d+)[^:@]*)/gm)
  for (const [, name = "", pid = ""] of bridges) if (!isRunning(Number(pid))) spawnSync("ip", ["link", "del", name])
}

/** Removes the network when the test's process ends: the standard input of the shell is then at its end. */
const CLEANUP = `read -r _; prefix=$1
for ns in $(ip netns list | awk -v p="$prefix-" 'index($1, p) == 1 { print $1 }'); do
  ip netns pids "$ns" | xargs -r kill -KILL; ip netns del "$ns"
done; ip link del "$prefix"`

/** Networks of this process so far, because a test process can run several tests. */
let created = 0

/** Creates a network for a number of processes. */
export const create = (members: number): Network => {
  sweep()
  created += 1
  const prefix = `${PREFIX}${process.pid}x${created}`
  // An address in a range for benchmarks, which is unlikely to be a network of this machine.
  const subnet = `198.18.${(process.pid * 7 + created) % 254}`
  const addressOf = (member: number) => `${subnet}.${member + 11}`
  const nameOf = (member: number) => `${prefix}-${member}`
  const within = (member: number) => ["ip", "netns", "exec", nameOf(member)] as const
  const inside = (member: number, ...args: ReadonlyArray<string>) =>
    spawnSync("ip", ["netns", "exec", nameOf(member), ...args], { encoding: "utf8" })
  const cleanup = spawn("/bin/sh", ["-c", CLEANUP, "sh", prefix], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true
  })
  cleanup.unref()
  const remove = () => {
    cleanup.kill("SIGKILL")
    removeNamespaces(namespaces().filter((name) => name.startsWith(`${prefix}-`)))
    spawnSync("ip", ["link", "del", prefix])
  }
  try {
    run("ip", "link", "add", prefix, "type", "bridge")
    run("ip", "addr", "add", `${subnet}.1/24`, "dev", prefix)
    run("ip", "link", "set", prefix, "up")
    for (let member = 0; member < members; member++) {
      const [outer, inner] = [`${prefix}v${member}`, "net0"]
      run("ip", "netns", "add", nameOf(member))
      run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", nameOf(member))
      run("ip", "link", "set", outer, "master", prefix, "up")
      run("ip", "-n", nameOf(member), "addr", "add", `${addressOf(member)}/24`, "dev", inner)
      run("ip", "-n", nameOf(member), "link", "set", inner, "up")
      run("ip", "-n", nameOf(member), "link", "set", "lo", "up")
    }
  } catch (error) {
    remove()
    throw error
  }
  const bridge = `${subnet}.1`
  return {
    bridge,
    addressOf,
    launcherOf: within,
    partition: (member, kind, databasePort) => {
      const others = Array.from({ length: members }, (_, other) => addressOf(other)).filter(
        (address) => address !== addressOf(member)
      )
      // The balancer and the database have the address of the bridge.
      const [from, to] =
        kind === "database"
          ? [`ip saddr ${bridge} tcp sport ${databasePort}`, `ip daddr ${bridge} tcp dport ${databasePort}`]
          : ["saddr", "daddr"].map(
              (end) => `ip ${end} { ${[...(kind === "peers" ? [] : [bridge]), ...others].join(", ")} }`
            )
      const rules = [
        ...(kind === "outgoing" ? [] : [`add rule ${TABLE} incoming ${from} drop`]),
        ...(kind === "incoming" ? [] : [`add rule ${TABLE} outgoing ${to} drop`])
      ]
      const table = [
        `add table ${TABLE}`,
        `add chain ${TABLE} incoming { type filter hook input priority 0; }`,
        `add chain ${TABLE} outgoing { type filter hook output priority 0; }`
      ]
      const { status, stderr } = inside(member, "nft", [...table, ...rules].join("; "))
      if (status !== 0) throw new Error(`The partition of process ${member} failed: ${stderr}`)
    },
    heal: (member) => void inside(member, "nft", "delete", "table", ...TABLE.split(" ")),
    delay: (member, milliseconds) =>
      inside(member, "tc", "qdisc", "replace", "dev", "net0", "root", "netem", "delay", `${milliseconds}ms`).status ===
      0,
    remove
  }
}
