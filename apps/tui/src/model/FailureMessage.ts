/** A failure of the client, for a person: what happened, and what to do next. */
import type { Failure } from "@tongs/core/contract/Failure"
import type { Message } from "./ScreenContent.ts"

export const of = (failure: Failure): Message => {
  switch (failure._tag) {
    case "NotFound":
      // What some forges answer for each file of a repository without commits.
      if (/repository is empty/i.test(failure.detail)) return empty(failure.detail)
      return {
        title: "Not found",
        hint: "It may be gone, or private: check the name and the credential. Esc goes back"
      }
    case "BadCredentials":
      return { title: "The forge does not accept the credential", hint: "Sign in with: tongs auth login" }
    case "Forbidden":
      return { title: "The credential may not read this", hint: failure.message }
    case "RateLimited":
      return {
        title: "The rate limit is used up",
        hint: `${failure.resource} lifts at ${time(failure.until)}, then r tries again`
      }
    case "Unreachable":
      return { title: "The forge does not answer", hint: `${failure.detail}. Check the network, then r tries again` }
    case "ServiceFailed":
      return { title: `The forge failed with ${failure.status}`, hint: `${failure.detail}. r tries again` }
    case "Conflict":
      return empty(failure.detail)
    case "Gone":
      return { title: "It is gone", hint: failure.detail }
    case "ValidationFailed":
      return { title: "The forge does not take this request", hint: failure.message }
    case "UnexpectedResponse":
      return {
        title: "The forge answered something unexpected",
        hint: `${failure.message} r tries again; if it stays so, look whether the URL is that of a forge's API`
      }
    case "UntrustedLink":
      return { title: "The rest is not on this forge", hint: `${failure.message} Give --url as the forge names itself` }
  }
}

const empty = (detail: string): Message => ({
  title: "Nothing here yet",
  hint: `${detail.replace(/\.?$/, ".")} The first push fills it: git push -u origin main`
})

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false })

/** The time of day of a moment in epoch milliseconds. */
export const time = (moment: number): string => clock.format(moment)
