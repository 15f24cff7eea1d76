/**
 * Reads `packed-refs`, as git's `refs/packed-backend.c` does. Names are binary strings (one character per byte).
 */
import { type BigIntStats, closeSync, openSync, readSync } from "node:fs"
import * as Effect from "effect/Effect"
import { codeOf } from "../../base/SystemError.ts"
import { READ_FLAGS } from "../files/Files.ts"
import * as FileStat from "../files/FileStat.ts"
import { type GitError, gitError, unavailable } from "../values/GitError.ts"
import * as RefName from "../values/RefName.ts"

/** One line of the file. `peeled` is the object that an annotated tag points to, directly or through other tags. */
export interface PackedRef {
  readonly name: string
  readonly oid: string
  readonly peeled: string | undefined
}

/** The file at one time, with references sorted by name. */
export interface PackedRefs {
  readonly stat: BigIntStats | undefined
  readonly isSettled: boolean
  readonly refs: ReadonlyArray<PackedRef>
}

/** The state before the first read. */
export const empty: PackedRefs = { stat: undefined, isSettled: false, refs: [] }

/** Maximum bytes of `packed-refs`, enough for some millions of references. */
export const MAX_BYTES = 268_435_456

/** Bytes to read and parse before other fibers run. */
const CHUNK_BYTES = 262_144

/** Reads the file unless unchanged since `before`. Fails with `Unreadable` for a damaged file. */
export const read = Effect.fnUntraced(function* (
  path: string,
  digits: number,
  before: PackedRefs
): Effect.fn.Return<PackedRefs, GitError> {
  const time = FileStat.now()
  const stat = FileStat.stat(path)
  if (before.isSettled && FileStat.isSame(stat, before.stat)) return before
  const isSettled = FileStat.isSettled(stat, time)
  if (stat === undefined) return { stat, isSettled, refs: [] }
  const parser = makeParser(digits)
  const file = yield* open(path)
  if (file === undefined) return { stat: undefined, isSettled: false, refs: [] }
  yield* Effect.gen(function* () {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = 0; at <= MAX_BYTES;) {
      const length = yield* readChunk(file, buffer, at, path)
      if (length === 0) return
      at += length
      parser.read(buffer.toString("latin1", 0, length))
      if (length === CHUNK_BYTES) yield* Effect.yieldNow
    }
  }).pipe(Effect.ensuring(Effect.sync(() => closeSync(file))))
  const refs = parser.end()
  if (refs === undefined) return yield* gitError({ _tag: "Unreadable", path, detail: "it has an invalid line" })
  return { stat, isSettled, refs }
})

const open = (path: string) =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(openSync(path, READ_FLAGS))
    } catch (cause) {
      return codeOf(cause) === "ENOENT" ? Effect.undefined : Effect.fail(cannotRead(path, cause))
    }
  })

const readChunk = (file: number, buffer: Buffer, at: number, path: string) =>
  Effect.try({ try: () => readSync(file, buffer, 0, buffer.length, at), catch: (cause) => cannotRead(path, cause) })

const cannotRead = (path: string, cause: unknown) => unavailable(`Cannot read ${path}: ${String(cause)}`)

/** Creates a parser. `end` returns `undefined` if git would reject the file. */
export const makeParser = (digits: number) => {
  const refs: Array<PackedRef> = []
  const line = new RegExp(`^[0-9a-fA-F]{${digits}}[ \\t\\r]`)
  const peeledLine = new RegExp(`^\\^[0-9a-fA-F]{${digits}}$`)
  let rest = ""
  let isFirst = true
  let isValid = true
  let isSorted = true
  let isFullyPeeled = false
  let hasPeeledTags = false
  let last: string | undefined

  const take = (text: string) => {
    if (isFirst && text.startsWith("# pack-refs with:")) {
      const traits = text.split(/[ :]/)
      isFullyPeeled = traits.includes("fully-peeled")
      hasPeeledTags = isFullyPeeled || traits.includes("peeled")
    } else if (text.startsWith("^") && last !== undefined) {
      if (!peeledLine.test(text)) isValid = false
      const ref = refs.at(-1)
      const isTrusted = isFullyPeeled || (hasPeeledTags && last.startsWith("refs/tags/"))
      if (isTrusted && ref?.name === last) refs[refs.length - 1] = { ...ref, peeled: text.slice(1).toLowerCase() }
    } else if (line.test(text)) {
      last = text.slice(digits + 1)
      // Git ignores references with invalid names.
      if (RefName.isWellFormed(last) && last.startsWith("refs/")) {
        if (isSorted && (refs.at(-1)?.name ?? "") >= last) isSorted = false
        refs.push({ name: last, oid: text.slice(0, digits).toLowerCase(), peeled: undefined })
      }
    } else {
      isValid = false
    }
    isFirst = false
  }

  return {
    read: (chunk: string) => {
      const text = rest + chunk
      let at = 0
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", at)) {
        take(text.slice(at, end))
        at = end + 1
      }
      rest = text.slice(at)
    },
    end: (): ReadonlyArray<PackedRef> | undefined => {
      if (!isValid || rest !== "") return undefined
      return isSorted ? refs : refs.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    }
  }
}
