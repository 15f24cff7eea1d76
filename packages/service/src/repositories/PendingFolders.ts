/**
 * Marks the folder of a new repository until its row is durable, by a file beside the folder whose name has the name of
 * the process. The next start removes a folder that a kill left without a row.
 */
import { lstatSync } from "node:fs"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ProcessName from "../base/ProcessName.ts"
import { gitError } from "../git/values/GitError.ts"

const PREFIX = ".pending-"

const marks = new RegExp(`^\\.pending-${ProcessName.PATTERN}-`)

const markOf = (path: string) => join(dirname(path), `${PREFIX}${ProcessName.own}-${basename(path)}`)

/** Marks a folder before it exists. */
export const mark = (path: string) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(markOf(path), "")
    },
    catch: (cause) => gitError({ _tag: "NotWritable", path, detail: String(cause) })
  })

const remove = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))

/** Removes a folder without a row, and its mark. */
export const discard = (path: string) => Effect.andThen(remove(path), remove(markOf(path)))

/**
 * Runs the transaction that adds the row of a marked folder, and removes the mark. Removes the folder if the
 * transaction fails.
 */
export const settle =
  (path: string) =>
  <A, E, R>(adding: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onError(adding, () => remove(path)).pipe(Effect.ensuring(remove(markOf(path))))

/** Removes the marked folders of ended processes in `parent` that have no row, and all marks of ended processes. */
export const sweep = Effect.fnUntraced(function* (parent: string, hasRow: (path: string) => Effect.Effect<boolean>) {
  const now = yield* Clock.currentTimeMillis
  const names = yield* Effect.orElseSucceed(
    Effect.tryPromise(() => readdir(parent)),
    () => []
  )
  for (const name of names) {
    const [prefix, pid, host] = marks.exec(name) ?? []
    if (prefix === undefined) continue
    const age = now - (lstatSync(join(parent, name), { throwIfNoEntry: false })?.mtimeMs ?? now)
    if (!ProcessName.hasEnded(pid, host, age)) continue
    const path = join(parent, name.slice(prefix.length))
    if (!(yield* hasRow(path))) {
      yield* Effect.logInfo(`Removes ${path}, which an ended process did not complete`)
      yield* remove(path)
    }
    yield* remove(join(parent, name))
  }
})
