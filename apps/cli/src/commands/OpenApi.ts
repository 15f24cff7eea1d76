/** `tongs openapi`: the contract as an OpenAPI document. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Document from "@tongs/core/contract/Document"
import * as Flags from "../Flags.ts"
import { printJson } from "../Output.ts"

export const openapi = Command.make(
  "openapi",
  {},
  Effect.fnUntraced(function* () {
    const url = yield* Flags.Url
    yield* printJson(Document.make(Option.isSome(url) ? { servers: [url.value] } : {}))
  })
).pipe(Command.withDescription("Print the contract as an OpenAPI 3.1 document; --url names its server"))
