/** `pnpm coverage` writes docs/coverage.md. With `--check` it fails if the file is outdated or operations are missing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Coverage from "./Coverage.ts"

const file = resolve(import.meta.dirname, "../../docs/coverage.md")

const { gaps, text } = await Effect.runPromise(Effect.orDie(Coverage.make))
const stale = !existsSync(file) || readFileSync(file, "utf8") !== text
const check = process.argv.includes("--check")
if (!check && stale) writeFileSync(file, text)

const problems = [...gaps, ...(check && stale ? ["docs/coverage.md is outdated. Run pnpm coverage."] : [])]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
