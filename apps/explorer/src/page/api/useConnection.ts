/** Where the explorer is connected; of a forge that counts requests, what is left of its budget from time to time. */
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"

/** Milliseconds between two looks at the budget. The server knows it without asking the forge. */
const PERIOD = 3_000

export const useConnection = (): Api.Answer<Wire.Connection> => {
  const once = Api.useAnswer(Api.connection, {})
  const isMetered = once._tag === "Ready" && once.value.kind === "remote"
  return Api.useAnswer(Api.connection, {}, { every: isMetered ? PERIOD : false })
}
