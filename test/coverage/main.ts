/** `pnpm coverage` writes docs/coverage.md; with `--check` it only says whether that is what it would write. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Coverage from "./Coverage.ts"

const file = resolve(import.meta.dirname, "../../docs/coverage.md")

const { gaps, text } = await Effect.runPromise(Effect.orDie(Coverage.make))
const stale = !existsSync(file) || readFileSync(file, "utf8") !== text
const check = process.argv.includes("--check")
if (!check && stale) writeFileSync(file, text)

const problems = [
  ...gaps,
  ...(check && stale ? ["docs/coverage.md is not what the contract says: run pnpm coverage"] : [])
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
