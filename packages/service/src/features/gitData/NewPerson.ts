/** Authors, committers and taggers of new objects. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { NewSignature } from "@tongs/core/contract/groups/GitCommits"
import type { Person } from "../../git/values/GitObject.ts"
import * as ApiError from "../../api/ApiError.ts"

/**
 * Creates the person of a new object, at the current time by default. Keeps the time zone of `date`, for example
 * `2014-11-07T22:01:45+02:00`. Fails for an invalid date; `field` is the name of the person's member.
 */
export const make = Effect.fnUntraced(function* (
  { date, email, name }: typeof NewSignature.Type,
  resource: string,
  field: string
) {
  const millis = date === undefined ? yield* Clock.currentTimeMillis : Date.parse(date)
  if (Number.isNaN(millis)) {
    return yield* ApiError.invalid(`Invalid timestamp in ${field}.date`, [
      { resource, field: `${field}.date`, code: "invalid" }
    ])
  }
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(date ?? "") ?? []
  const person: Person = {
    name,
    email,
    seconds: Math.floor(millis / 1000),
    timezone: sign === undefined ? "+0000" : `${sign}${hours}${minutes}`
  }
  return person
})
