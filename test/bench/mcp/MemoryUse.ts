/** Measures the memory of `tongs mcp` on this repository: its growth in many calls, and its peak in many searches. */
import { readFileSync } from "node:fs"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as McpSession from "./McpSession.ts"

/** Number of calls before and during the measurement of the growth. */
const WARM_UP = 100
const CALLS = 500

/** Number of searches at the same time. */
const SEARCHES = 50

const words = ["Effect", "commit", "export", "function", "token", "search", "read", "branch", "string", "interface"]

/** One of five calls, each with changing arguments. */
const callOf = (index: number): readonly [name: string, args: object] => {
  const word = words[index % words.length] ?? ""
  switch (index % 5) {
    case 0:
      return ["search_code", { query: `${word} ${words[(index * 7 + 3) % words.length]}`, limit: 30 }]
    case 1:
      return ["read_file", { path: "docs/mcp.md", around: 1 + (index % 200) }]
    case 2:
      return ["list_commits", { limit: 20 }]
    case 3:
      return ["symbols", { name: word }]
    default:
      return ["list_files", { path: "packages/core/src", depth: 3 }]
  }
}

/** Reads a field of `/proc/PID/status`, in megabytes: `VmRSS` is the memory now, `VmHWM` the peak. */
const memoryOf = (pid: number, field: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

export interface Measured {
  /** Growth in megabytes. */
  readonly growth: number
  /** Peak in megabytes. */
  readonly peak: number
  readonly failed: number
}

/** Measures a new server. The process must be on Linux. Search processes of the server do not count. */
export const measure = async (home: string): Promise<Measured> => {
  const session = await McpSession.connect({
    command: process.execPath,
    args: [BenchmarkEnvironment.tongsPath, "mcp", "--repos", BenchmarkEnvironment.root],
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    cwd: home
  })
  try {
    let failed = 0
    const call = async (index: number) => {
      const { isError } = await session.result(...callOf(index))
      if (isError) failed += 1
    }
    for (let index = 0; index < WARM_UP; index++) await call(index)
    const before = memoryOf(session.pid, "VmRSS")
    for (let index = 0; index < CALLS; index++) await call(index)
    const growth = memoryOf(session.pid, "VmRSS") - before
    await Promise.all(Array.from({ length: SEARCHES }, (_, index) => call(index * 5)))
    return { growth, peak: memoryOf(session.pid, "VmHWM"), failed }
  } finally {
    await session.close()
  }
}
