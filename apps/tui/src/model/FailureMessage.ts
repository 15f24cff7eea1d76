/** Describes failures of the client to the user, with the next step. */
import type { Failure } from "@tongs/core/contract/Failure"
import type { Message } from "../content/Message.ts"

export const of = (failure: Failure): Message => {
  switch (failure._tag) {
    case "NotFound":
      // Some forges respond with 404 for files of a repository without commits.
      if (/repository is empty/i.test(failure.detail)) return emptyRepository(failure.detail)
      return {
        title: "Not found",
        hint: "It may have been deleted, or be private. Check the name and the credential. Press Esc to go back"
      }
    case "BadCredentials":
      return {
        title: "The forge rejected the credential",
        hint: "Sign in with tongs auth login, or correct TONGS_TOKEN, and start again"
      }
    case "Forbidden":
      return { title: "Access denied", hint: failure.message }
    case "RateLimited":
      return {
        title: "Rate limit exceeded",
        hint: `The ${failure.resource} limit resets at ${timeOfDay(failure.until)}. Press r after that`
      }
    case "Unreachable":
      return {
        title: "The forge does not respond",
        hint: `${failure.detail}. Check the network, then press r to try again`
      }
    case "ServiceFailed":
      return {
        title: `The forge failed with status ${failure.status}`,
        hint: `${failure.detail}. Press r to try again`
      }
    case "Conflict":
      return /repository is empty/i.test(failure.detail)
        ? emptyRepository(failure.detail)
        : { title: "Refused in the present state", hint: failure.detail }
    case "Gone":
      return { title: "No longer available", hint: failure.detail }
    case "Unsupported":
      return { title: "Not supported by this forge", hint: failure.detail }
    case "ValidationFailed":
      return { title: "The forge rejected the request", hint: failure.message }
    case "UnexpectedResponse":
      return {
        title: "Unexpected response",
        hint: `${failure.message} Press r to try again. If this happens again, check that the URL belongs to a forge's API`
      }
    case "UntrustedLink":
      return {
        title: "The next page is on another host",
        hint: `${failure.message} Pass --url with the address that the forge uses for itself`
      }
  }
}

const emptyRepository = (detail: string): Message => ({
  title: "Nothing here yet",
  hint: `${detail.replace(/\.?$/, ".")} Push the first commit: git push -u origin main`
})

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false })

/** Formats a time in epoch milliseconds as `15:04`. */
export const timeOfDay = (time: number): string => clock.format(time)
