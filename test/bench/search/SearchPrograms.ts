/** Timed searches with ripgrep and `git grep`, which list all matching files without an order. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { SearchQuestion } from "./SearchQuestions.ts"
import { missing, type SearchTiming } from "./SearchTiming.ts"

/** Searches the work tree of the corpus, without ignore rules. */
export const ripgrep = async ({ ripgrep: args }: SearchQuestion, path: string): Promise<SearchTiming> => {
  if (args === undefined || !existsSync(join(path, ".git"))) return missing
  const flags = ["--no-config", "--hidden", "--no-ignore", "--glob=!.git", "-l"]
  // If the last argument is the pattern after `-e`, adds the folder.
  return timed("rg", [...flags, ...args, ...(args.at(-2) === "-e" ? ["."] : [])], path)
}

/** Searches the commit of the corpus. */
export const gitGrep = async ({ gitGrep: args }: SearchQuestion, path: string): Promise<SearchTiming> =>
  args === undefined
    ? missing
    : timed("git", ["grep", "-lI", ...args, ...(args.includes("HEAD") ? [] : ["HEAD"])], path)

const timed = (program: string, args: ReadonlyArray<string>, cwd: string): Promise<SearchTiming> => {
  if (BenchmarkEnvironment.findProgram(program) === undefined) return Promise.resolve(missing)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let first = Number.NaN
    let files = 0
    let errors = ""
    child.stdout.on("data", (bytes: Buffer) => {
      if (Number.isNaN(first)) first = performance.now() - begun
      for (const byte of bytes) if (byte === 10) files++
    })
    child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()))
    child.once("error", reject)
    child.once("close", (code) => {
      // Exit code 1: no matches.
      if (code === 0 || code === 1) resolve({ first, done: performance.now() - begun, files })
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${errors}`))
    })
  })
}
