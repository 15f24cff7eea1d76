/** The connection to a forge elsewhere. */
import * as Path from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as BaseUrl from "@tongs/core/client/BaseUrl"
import { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import * as AnswersFile from "./cache/AnswersFile.ts"
import { Connection } from "./Connection.ts"
import { ConnectionError } from "./ConnectionError.ts"
import { Credentials } from "./Credentials.ts"
import * as Source from "./credentials/Source.ts"
import * as SharedLimits from "./limits/SharedLimits.ts"
import * as Origin from "./Origin.ts"
import type { Settings } from "./Settings.ts"
import * as Transport from "./Transport.ts"
import { UserDirectories } from "./UserDirectories.ts"

export interface RemoteSettings extends Settings {
  readonly url: string
}

export const layer = (settings: RemoteSettings): Layer.Layer<Connection | Forge | Scheduler, ConnectionError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const wrong = BaseUrl.problem(settings.url)
      if (wrong !== undefined) {
        return yield* new ConnectionError({
          reason: "BadSettings",
          detail: `${JSON.stringify(LinkHeader.withoutQuery(settings.url))} ${wrong}`,
          hint: "Give the forge's API as https://forge.example/api/v3"
        })
      }
      const { credential, cwd, dialect, url: baseUrl } = settings
      const origin = yield* Effect.forkChild(Origin.find(cwd, baseUrl))
      const token = yield* Source.credential(credential, { baseUrl, dialect })
      const { cache } = yield* UserDirectories
      const answers = yield* AnswersFile.make(Path.join(cache, "answers.sqlite"))
      const forge = yield* Forge.make({
        baseUrl,
        token,
        dialect,
        version: settings.apiVersion,
        userAgent: "tongs",
        answers
      })
      const connection = Connection.of({
        kind: "remote",
        label: new URL(baseUrl).host,
        baseUrl,
        ...(yield* Fiber.join(origin)),
        notices: [],
        beyond: undefined
      })
      return Context.make(Forge, forge).pipe(Context.add(Connection, connection))
    })
  ).pipe(
    Layer.provideMerge(SharedLimits.layer(settings.limitsStore ?? "sqlite")),
    Layer.provide(Credentials.layer),
    Layer.provide([Transport.layer, NodeFileSystem.layer, UserDirectories.layer])
  )
