/** The dates of `after:` and `before:`, read by git. */
import * as Effect from "effect/Effect"
import type { Git } from "../../git/process/Git.ts"
import type { GitError } from "../../git/values/GitError.ts"

/** Words of dates that git knows. Git accepts abbreviations of at least three letters for months and days. */
const words =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|yesterday|today|now|noon|midnight|tea|never|am|pm|ago|last|at|on|of|the|and|st|nd|rd|th|one|two|three|four|five|six|seven|eight|nine|ten|t|z|utc|gmt|[ecmp][sd]t)$/iu

/** True if git reads a text as a date. Git accepts any text: an unknown text means now. */
export const isDate = (text: string): boolean => {
  const parts = text.match(/[a-z]+|\d+/gi) ?? []
  if (parts.length === 0 || /[^\w\s.,:+/@-]|_/.test(text)) return false
  const [, month = "1", day = "1"] = /^\d{4}[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)/.exec(text) ?? []
  return (
    parts.every((part) => /^\d/.test(part) || words.test(part)) &&
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= 31
  )
}

/** Returns the seconds since 1970 for each date. */
export const read = Effect.fnUntraced(function* (
  git: Git["Service"],
  gitDir: string,
  dates: ReadonlyArray<string>
): Effect.fn.Return<Readonly<Record<string, number>>, GitError> {
  if (dates.length === 0) return {}
  const { stdout } = yield* git.run(["rev-parse", ...dates.map((date) => `--since=${date}`)], { gitDir })
  const seconds = stdout.toString("latin1").match(/\d+/g) ?? []
  return Object.fromEntries(dates.map((date, at) => [date, Number(seconds[at] ?? 0)]))
})
