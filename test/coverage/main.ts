/**
 * `pnpm coverage` writes docs/coverage.md and the table of unimplemented operations. With `--check`, the command fails
 * if a file is outdated or operations are missing.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Coverage from "./Coverage.ts"
import * as UnimplementedTable from "./UnimplementedTable.ts"

const root = resolve(import.meta.dirname, "../..")

const { gaps, text } = await Effect.runPromise(Effect.orDie(Coverage.make))
const files = [
  ["docs/coverage.md", text],
  ["packages/service/src/http/UnimplementedTable.ts", UnimplementedTable.make()]
] as const // pairs
const stale = files.filter(([file, text]) => {
  const path = resolve(root, file)
  return !existsSync(path) || readFileSync(path, "utf8") !== text
})
const check = process.argv.includes("--check")
if (!check) for (const [file, text] of stale) writeFileSync(resolve(root, file), text)

const problems = [...gaps, ...(check ? stale.map(([file]) => `${file} is outdated. Run pnpm coverage.`) : [])]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
