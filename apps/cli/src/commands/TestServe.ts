/** `tongs serve --test`: an empty forge for tests in any language, controlled over HTTP. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as Flags from "../session/Flags.ts"

interface Options {
  readonly port: number
  readonly host: string
  readonly seed: number | undefined
  readonly signCommits: boolean
  /** The given flags of the command that select data of another forge. */
  readonly otherData: ReadonlyArray<string>
}

/** The given global flags that select a forge or data of a forge. */
const otherForge = Effect.gen(function* () {
  const { apiVersion, data, demo, indexBranches, profile, repos, url } = yield* Flags.settings
  const given = {
    "--profile": profile,
    "--url": url,
    "--api-version": apiVersion,
    "--data": data,
    "--repos": repos[0],
    "--index-branch": indexBranches[0],
    "--demo": demo
  }
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
})

const check = Effect.fnUntraced(function* ({ host, otherData }: Options) {
  const rejected = [...otherData, ...(yield* otherForge)]
  if (rejected.length > 0) {
    return yield* new UsageError({
      detail: `--test cannot be combined with ${rejected.join(", ")}.`,
      hint: "Its forge starts empty, in a temporary folder. POST /_test/add adds data."
    })
  }
  if (host !== "127.0.0.1") {
    return yield* new UsageError({
      detail: `--test cannot listen on ${host}.`,
      hint: "The test forge gives full control without a token, so it listens on 127.0.0.1 only. Omit --host."
    })
  }
})

const isTemporaryFolder = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && error.syscall === "mkdtemp"

const noTemporaryFolder = ({ message }: Error) =>
  new UsageError({
    detail: `Cannot create a temporary folder: ${message}.`,
    hint: "Set TMPDIR to a folder that exists and is writable."
  })

/**
 * Starts the forge, and prints one line with the URL and the owner's token. Reads no configuration. The scope stops the
 * forge and deletes the folder.
 */
export const start = Effect.fnUntraced(function* (options: Options) {
  yield* check(options)
  const [{ startForge }, { CannotListen }] = yield* Effect.promise(() =>
    Promise.all([import("@tongs/testing"), import("@tongs/service/main/Serve")])
  )
  const { port, seed, signCommits } = options
  const dialect = Option.getOrUndefined(yield* Flags.Dialect)
  const limits = Option.getOrUndefined(yield* Flags.Limits)
  const { owner, url } = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => startForge({ control: true, dialect, limits, port, seed, signCommits }),
      catch: (error) => {
        if (error instanceof CannotListen) return error
        if (isTemporaryFolder(error)) return noTemporaryFolder(error)
        // Any other error is a defect.
        throw error
      }
    }),
    (forge) => Effect.promise(() => forge.close())
  )
  const { note, print } = yield* Output
  if (yield* JsonOutput.isWanted) {
    return yield* JsonOutput.print({ url, token: owner.token, pid: process.pid }, { isCompact: true })
  }
  yield* print(`${url} ${owner.token}`)
  yield* note(`These are the forge's URL and its owner's token. GET ${url}/_test lists the operations of tests.`)
})
