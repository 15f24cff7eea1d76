/** The memory of a server and all child processes. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

/** Megabytes of a server and of all children. */
export interface ProcessMemory {
  readonly resident: number
  readonly children: number
  readonly childrenResident: number
  /** The proportional set size of all processes; undefined if the system does not report this figure. */
  readonly proportional: number | undefined
}

const parse = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, kilobytes = 0]) => ({ pid, parent, megabytes: kilobytes / 1024 }))
    // A zombie has no memory.
    .filter(({ megabytes }) => megabytes > 0)

/** The memory of a process and all children; undefined without `ps`. */
export const of = (pid: number) =>
  BenchmarkEnvironment.runCommand("ps", ["-A", "-o", "pid=,ppid=,rss="]).pipe(
    Effect.map((text): ProcessMemory => {
      const processes = parse(text)
      const below = (parent: number): typeof processes =>
        processes.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
      const children = below(pid)
      return {
        resident: processes.find((one) => one.pid === pid)?.megabytes ?? Number.NaN,
        children: children.length,
        childrenResident: children.reduce((sum, { megabytes }) => sum + megabytes, 0),
        proportional: total([pid, ...children.map((child) => child.pid)].map(proportional))
      }
    }),
    Effect.orElseSucceed(() => undefined)
  )

const total = (values: ReadonlyArray<number | undefined>): number | undefined =>
  values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0)

const proportional = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
