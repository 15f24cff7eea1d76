/** Where the explorer is connected; of a forge that counts requests, what is left of its budget from time to time. */
import { useEffect, useReducer } from "react"
import type * as Wire from "../Wire.ts"
import * as Api from "./Api.ts"

/** Milliseconds between two looks at the budget. The server knows it without asking the forge. */
const PERIOD = 3_000

export const useConnection = (): Api.Answer<Wire.Connection> => {
  const answer = Api.useAnswer(Api.connection, {})
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const isMetered = answer._tag === "Ready" && answer.value.kind === "remote"
  useEffect(() => {
    if (!isMetered) return
    const controller = new AbortController()
    const look = () => {
      if (document.visibilityState !== "visible") return
      // A failure here is told by whatever the person asks for next.
      Api.connection.fetch(Api.connection.url({}), controller.signal).then(redraw, () => {})
    }
    const timer = setInterval(look, PERIOD)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [isMetered])
  return answer
}
