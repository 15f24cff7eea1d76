/** Loads the details of a file's screen after the text: syntax, last commits and outline. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { LoadOptions, Services } from "../../content/Source.ts"
import * as Syntax from "../../text/Syntax.ts"
import type { File } from "./FileDocument.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** Remote forges without the extensions. The program does not try the extensions again, because each request counts. */
const withoutExtensions = new WeakSet<object>()

/**
 * Emits the file again with each loaded detail. The file is useful without details, so failures are ignored, except of
 * the blame on a screen that needs the blame.
 */
export const stream = (
  file: File,
  at: RevisionArguments.Revision,
  forge: Forge["Service"],
  options: LoadOptions,
  services: Services,
  needsBlame: boolean
): Stream.Stream<File, Failure> => {
  const { path } = file.entry
  const connection = Context.get(services, Connection)
  const input = { ...RevisionArguments.repository(at), path, ...RevisionArguments.atRef(at) }
  const extension = (load: Effect.Effect<Partial<File>, Failure>) =>
    Effect.suspend(() => (withoutExtensions.has(connection) ? Effect.succeed(nothing) : load)).pipe(
      Effect.catch(() =>
        Effect.sync(() => {
          if (connection.kind === "remote") withoutExtensions.add(connection)
          return nothing
        })
      )
    )
  const blame = Effect.map(forge.history.getBlame(input, options), (found): Partial<File> => ({
    blame: found.ranges,
    isBlameIncomplete: found.incomplete_results
  }))
  const loads: ReadonlyArray<Effect.Effect<Partial<File>, Failure>> = [
    Effect.map(Syntax.highlight(path, file.content) ?? Effect.succeed(undefined), (text) => ({ text })),
    extension(Effect.map(forge.codeNavigation.getOutline(input, options), ({ symbols }) => ({ symbols }))),
    // A remote forge would send every version of the file, so only the screen of the blame requests these.
    ...(needsBlame ? [blame] : connection.kind === "remote" ? [] : [extension(blame)])
  ]
  return Stream.mergeAll(loads.map(Stream.fromEffect), { concurrency: loads.length }).pipe(
    Stream.filter((found: Partial<File>) => Object.values(found).some((value) => value !== undefined)),
    Stream.scan(
      () => file,
      (known, found) => ({ ...known, ...found })
    )
  )
}

const nothing: Partial<File> = {}
