/** Measures the time until a search finds a push of a hundred files. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { LinuxCorpus } from "./LinuxCorpus.ts"
import { SearchServer } from "./SearchServer.ts"

/** Files per push, and the approximate bytes in each. */
const FILES = 100
const BYTES = 4_000

/** Pushes into a clone of the corpus. Returns milliseconds from each push to the complete search response. */
export const measure = Effect.fnUntraced(function* (home: string, corpus: LinuxCorpus, rounds: number) {
  const clone = join(home, "clone.git")
  // Shares the corpus's objects, so that the index already contains the blobs.
  execFileSync("git", ["clone", "--quiet", "--shared", "--bare", corpus.path, clone])
  const branch = execFileSync("git", ["-C", clone, "symbolic-ref", "HEAD"]).toString().trim()
  const served = yield* SearchServer.start(home, clone)
  return yield* BenchmarkEnvironment.tryPromise(async () => {
    await served.waitForIndex()
    const taken: Array<number> = []
    for (let round = 0; round <= rounds; round++) {
      const word = `arrival${round}x`
      execFileSync("git", ["-C", clone, "fast-import", "--quiet"], { input: commit(branch, round, word) })
      const { done, files: found } = await served.searchContract(word)
      if (found !== FILES) throw new Error(`the search found ${found} of ${FILES} pushed files`)
      // The first push starts idle workers, like a user's first push.
      taken.push(done)
    }
    return taken
  })
}, Effect.scoped)

const commit = (branch: string, round: number, word: string): string => {
  const changes = Array.from({ length: FILES }, (_, at) => {
    const line = `export const ${word}_${at} = () => call${(at * 7919 + round) % 9973}(value${at * round})\n`
    const text = line.repeat(Math.ceil(BYTES / line.length))
    return `M 100644 inline pushed/${round}/file${at}.ts\ndata ${Buffer.byteLength(text)}\n${text}`
  })
  const committer = `committer Bench <bench@example.org> ${1_700_000_000 + round} +0000`
  return `commit ${branch}\n${committer}\ndata 4\nMore\nfrom ${branch}^0\n${changes.join("\n")}\n`
}
