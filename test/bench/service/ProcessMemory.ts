/** What a server and the processes that it started hold in memory. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

/** In megabytes; of a server, and of its children together. */
export interface ProcessMemory {
  readonly resident: number
  readonly children: number
  readonly childrenResident: number
  /** All of them, a page that n processes share counted as 1/n of a page in each. Nothing where the system cannot tell. */
  readonly proportional: number | undefined
}

const parse = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, kilobytes = 0]) => ({ pid, parent, megabytes: kilobytes / 1024 }))
    // One that has ended, and of which nobody has taken note yet, holds nothing.
    .filter(({ megabytes }) => megabytes > 0)

/** Nothing where there is no `ps`. */
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
