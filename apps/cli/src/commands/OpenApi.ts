/** `tongs openapi`: prints the API as an OpenAPI document. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { ofBaseUrl } from "@tongs/core/contract/Dialect"
import * as Document from "@tongs/core/contract/Document"
import * as Flags from "../session/Flags.ts"
import * as JsonOutput from "../json/JsonOutput.ts"

export const openapi = Command.make(
  "openapi",
  {},
  Effect.fnUntraced(function* () {
    const url = yield* Flags.Url
    const dialect = Option.getOrElse(yield* Flags.Dialect, () =>
      Option.isSome(url) ? ofBaseUrl(url.value) : "service"
    )
    yield* JsonOutput.print(Document.make({ dialect, ...(Option.isSome(url) ? { servers: [url.value] } : {}) }))
  })
).pipe(Command.withDescription("Print the API as an OpenAPI 3.1 document; --url sets the server"))
