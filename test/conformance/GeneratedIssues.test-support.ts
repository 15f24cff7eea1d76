/** Issues and comments with random values, as a part of a fixture file. */
import * as fc from "fast-check"

/** The same values in each run. */
const SEED = 20_240_501

export const REPOSITORY = "ada/knots"

const users = ["ada", "juergen", "mamoru"]
const labels = ["rope", "Two words", "naïve/ö"]
const contents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"]

/** Names that the generated issues need. */
export const names = {
  collaborators: users.slice(1).map((login) => ({ repository: REPOSITORY, login, permission: "write" })),
  labels: labels.map((name) => ({ repository: REPOSITORY, name })),
  milestones: [{ repository: REPOSITORY, creator: "ada", title: "Spring" }]
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter((value) => value.trim() !== "")
const time = fc
  .integer({ min: Date.UTC(2015) / 1000, max: Date.UTC(2026) / 1000 })
  .map((seconds) => new Date(seconds * 1000).toISOString().replace(".000", ""))
const reactions = fc.dictionary(fc.constantFrom(...contents), fc.subarray(users), { maxKeys: 3 })
const comment = fc.record(
  { user: fc.constantFrom(...users), body: text, created_at: time, reactions },
  { requiredKeys: ["user", "body"] }
)
const state = fc.oneof(
  fc.constant({}),
  fc.record({
    state: fc.constant("closed"),
    state_reason: fc.constantFrom("completed", "not_planned", "duplicate"),
    closed_at: time
  })
)
const issue = fc.record(
  {
    repository: fc.constant(REPOSITORY),
    user: fc.constantFrom(...users),
    title: text,
    body: text,
    labels: fc.subarray(labels),
    assignees: fc.subarray(users),
    milestone: fc.constant("Spring"),
    lock_reason: fc.constantFrom(null, "off-topic", "too heated", "resolved", "spam"),
    created_at: time,
    reactions,
    comments: fc.array(comment, { maxLength: 3 })
  },
  { requiredKeys: ["repository", "user", "title"] }
)

/** Returns a number of issues. */
export const make = (count: number) =>
  fc.sample(
    fc.tuple(issue, state).map(([one, change]) => ({ ...one, ...change })),
    { seed: SEED, numRuns: count }
  )
