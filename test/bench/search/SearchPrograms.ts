/** Timed searches with ripgrep and `git grep`, which list or count all matching files without an order. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { SearchQuestion } from "./SearchQuestions.ts"
import { missing, type SearchTiming } from "./SearchTiming.ts"

/** How a program shows the results: the names of the files, or each name with the number of matches. */
export type Form = "names" | "counts"

/** Searches the work tree of the corpus, without ignore rules. */
export const ripgrep = async (
  { ripgrep: args }: SearchQuestion,
  path: string,
  form: Form = "names"
): Promise<SearchTiming> => {
  if (args === undefined || !existsSync(join(path, ".git"))) return missing
  const flags = ["--no-config", "--hidden", "--no-ignore", "--glob=!.git", form === "names" ? "-l" : "--count-matches"]
  // If the last argument is the pattern after `-e`, adds the folder.
  return timed("rg", [...flags, "--null", ...args, ...(args.at(-2) === "-e" ? ["."] : [])], path)
}

/** Searches the commit of the corpus. Counts lines instead of matches. */
export const gitGrep = async (
  { gitGrep: args }: SearchQuestion,
  path: string,
  form: Form = "names"
): Promise<SearchTiming> =>
  args === undefined
    ? missing
    : timed(
        "git",
        ["grep", form === "names" ? "-lI" : "-cI", "-z", ...args, ...(args.includes("HEAD") ? [] : ["HEAD"])],
        path
      )

const timed = (program: string, args: ReadonlyArray<string>, cwd: string): Promise<SearchTiming> => {
  if (BenchmarkEnvironment.findProgram(program) === undefined) return Promise.resolve(missing)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let first = Number.NaN
    const output: Array<Buffer> = []
    let errors = ""
    child.stdout.on("data", (bytes: Buffer) => {
      if (Number.isNaN(first)) first = performance.now() - begun
      output.push(bytes)
    })
    child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()))
    child.once("error", reject)
    child.once("close", (code) => {
      const done = performance.now() - begun
      // Exit code 1: no matches.
      if (code === 0 || code === 1) resolve({ first, done, ...counted(Buffer.concat(output).toString("latin1")) })
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${errors}`))
    })
  })
}

/** Counts the names, each with a NUL behind, and adds up the numbers behind the names. */
const counted = (output: string): Pick<SearchTiming, "files" | "matches"> => {
  const [, ...counts] = output.split("\0")
  return { files: counts.length, matches: counts.reduce((sum, count) => sum + Number.parseInt(count || "0"), 0) }
}
