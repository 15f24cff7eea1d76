import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Flags from "../session/Flags.ts"
import { UsageError } from "../base/UsageError.ts"

/** Provides the tracing of `--otlp URL`. Loads the exporter only if the flag is given. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const url = Option.getOrUndefined(yield* Flags.Otlp)
    if (url === undefined) return Layer.empty
    if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
      return yield* new UsageError({
        detail: `${JSON.stringify(url)} is not the URL of a collector.`,
        hint: "Pass its base URL, for example --otlp http://127.0.0.1:4318."
      })
    }
    const { layer } = yield* Effect.promise(() => import("./OtlpExport.ts"))
    return layer(url)
  })
)
