import * as Effect from "effect/Effect"
import * as BaseUrl from "@tongs/core/client/BaseUrl"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import { badSettings, type ConnectionError } from "./ConnectionError.ts"

/** Validates the base URL of a forge's API. Fails with `BadSettings`; the message omits the query of the URL. */
export const validate = (url: string): Effect.Effect<void, ConnectionError> => {
  const reason = BaseUrl.invalidReason(url)
  if (reason === undefined) return Effect.void
  const hint = "Pass the URL of the forge's API, for example https://forge.example.com/api/v3"
  return Effect.fail(badSettings(`${JSON.stringify(LinkHeader.withoutQuery(url))} ${reason}`, hint))
}
