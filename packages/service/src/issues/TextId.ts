/**
 * Ids of the texts in which issues are searched. An id has the issue and the place, so that an index of words, which has
 * only ids, says both without reading the texts.
 */
import type { Place } from "@tongs/core/query/items/IssueQuery"

/** Number of ids of an issue: of the title, the body, and the comments. */
const IDS = 1_048_576

export const title = (issueId: number) => issueId * IDS
export const body = (issueId: number) => issueId * IDS + 1

/** The first id of a comment of the issue, and the first id after all of them, as SQL. */
export const ofComments = (issueId: number) => ({ first: issueId * IDS + 2, end: (issueId + 1) * IDS })

/** Number of values of `valueOf` for an issue. */
const FACTOR = 4

/** An expression in SQL of an id: the issue and the place in a small number. */
export const value = (id: string) =>
  `((${id} / ${IDS}) * ${FACTOR} + CASE ${id} % ${IDS} WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 2 END)`

/** Weights of the places in the order of `value`. */
const weights = [8, 2, 1]

/** Returns the issue of a `value`, and the weight of a match there. */
export const ofValue = (value: number) => ({
  issueId: Math.floor(value / FACTOR),
  weight: weights[value % FACTOR] ?? 0
})

/** A condition in SQL: an id is of one of the places. */
export const isIn = (id: string, places: ReadonlyArray<Place>) =>
  places.map((place) => `${id} % ${IDS} ${tests[place]}`).join(" OR ")

const tests: Readonly<Record<Place, string>> = { title: "= 0", body: "= 1", comments: "> 1" }
