/** Runs command lines in this process, over a stub forge. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Connection } from "@tongs/connection/Connection"
import { Output } from "./base/Output.ts"
import { run } from "./Program.ts"
import * as Session from "./session/Session.ts"
import * as Stub from "./ForgeStub.test-support.ts"

interface Options {
  /** Input lines that an interactive terminal simulates. */
  readonly answers?: ReadonlyArray<string>
  readonly connection?: Partial<Context.Service.Shape<typeof Connection>>
}

/** Creates a function that runs a command line against a stub forge, and returns the exit code and the output. */
export const runner =
  (forge: (asked: Stub.StubRequest) => Stub.StubResponse | undefined, options: Options = {}) =>
  (...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const written = { stdout: "", stderr: "" }
      const code = yield* run(args).pipe(
        Effect.provideService(Session.Connector, () => Stub.layer(forge, options.connection)),
        Effect.provide(
          Layer.mergeAll(
            Output.layerMemory(written, options.answers),
            Layer.provideMerge(Session.layerUser, NodeServices.layer)
          )
        ),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: { HOME: "/nowhere" } }))
      )
      return { code, ...written }
    })
