/**
 * Starts `tongs mcp` over stdio with only the modules that the answer to `initialize` needs, because clients wait for
 * this answer. The whole program handles all other command lines.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConnectionLayer from "@tongs/connection/ConnectionLayer"
import { CredentialStore } from "@tongs/connection/credentials/CredentialStore"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import * as HeapLimit from "./base/HeapLimit.ts"
import * as ExitCode from "./ExitCode.ts"
import type { Parsed } from "./McpArguments.ts"
import * as ProcessRunner from "./ProcessRunner.ts"

/** Does not use the layer of `Session`, which loads the command-line parser. */
const layerUser = CredentialStore.layer.pipe(
  Layer.provideMerge(UserDirectories.layer),
  Layer.provideMerge(NodeFileSystem.layer)
)

const serve = Effect.fnUntraced(function* ({ flags, options }: Parsed, cwd: string) {
  const settings = yield* SettingsResolver.resolve({ ...flags, cwd })
  const { serveStdio } = yield* Effect.promise(() => import("@tongs/mcp/Mcp"))
  yield* HeapLimit.apply
  yield* serveStdio(options, ConnectionLayer.layer({ ...settings, searchesWorkTrees: true, indexesInBackground: true }))
})

/** Serves in this process until the client disconnects. */
export const main = (parsed: Parsed, cwd: string): void =>
  ProcessRunner.main(
    serve(parsed, cwd).pipe(
      Effect.as<number>(ExitCode.codes.fine),
      Effect.catchCause(ExitCode.report),
      Effect.scoped,
      Effect.provide(layerUser)
    )
  )
