/** Searches the operations of the contract by words: names, summaries, descriptions, paths and parameters. */
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as OperationName from "./OperationName.ts"
import * as Words from "../text/Words.ts"

/** An operation with the stems of the texts. A weight says how well a stem identifies the operation. */
interface Indexed {
  readonly entry: CatalogEntry
  readonly weights: ReadonlyMap<string, number>
  /** Stems of the name and the summary. Fewer other words make a match more likely. */
  readonly own: ReadonlySet<string>
}

const fieldWeights = { name: 1, summary: 1, path: 0.6, parameter: 0.4, description: 0.4 } as const // literal types

/** Words of the effects, which names such as `getConfig` and summaries do not always contain. */
const effectWords = {
  read: "get list",
  create: "create",
  update: "update",
  delete: "delete",
  trigger: "trigger run"
} as const // literal types

/** What people call the resource of an operation whose names have none of these words. */
const otherNames: Readonly<Record<string, string>> = {
  "gitRefs.create": "branch tag",
  "gitRefs.update": "branch tag force push",
  "gitRefs.delete": "branch tag",
  "repositories.update": "private public visibility"
}

const index = (entry: CatalogEntry): Indexed => {
  const { command, endpoint, fields, operation, tool } = entry
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const stem of Words.stems(text)) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0))
  }
  add(`${OperationName.idOf(entry)} ${command} ${tool}`, fieldWeights.name)
  add(operation.summary, fieldWeights.summary)
  const own = new Set(weights.keys())
  add(otherNames[OperationName.idOf(entry)] ?? "", fieldWeights.name)
  add(effectWords[operation.effect], fieldWeights.path)
  add(endpoint.path.replace(/:\w+/g, ""), fieldWeights.path)
  for (const field of fields) add(field.name, fieldWeights.parameter)
  add(
    `${operation.description ?? ""} ${fields.map(({ description }) => description).join(" ")}`,
    fieldWeights.description
  )
  return { entry, weights, own }
}

let indexed: ReadonlyArray<Indexed> | undefined
let frequencies: ReadonlyMap<string, number> | undefined

const all = (): ReadonlyArray<Indexed> => (indexed ??= allEntries().map(index))

/** Returns the number of operations for each stem. */
const counts = (): ReadonlyMap<string, number> => {
  if (frequencies !== undefined) return frequencies
  const made = new Map<string, number>()
  for (const { weights } of all()) for (const stem of weights.keys()) made.set(stem, (made.get(stem) ?? 0) + 1)
  frequencies = made
  return made
}

/** A stem that matches a word of the query, and the similarity. */
interface Match {
  readonly stem: string
  readonly similarity: number
}

/** Minimum length of words that match as prefixes, and of words that match with typing errors. */
const min = { prefix: 4, misspelt: 3 } as const // literal types

const matches = (word: string): ReadonlyArray<Match> => {
  const known = [...counts().keys()]
  const exact = known.flatMap((stem): ReadonlyArray<Match> => {
    if (stem === word) return [{ stem, similarity: 1 }]
    if (Words.areSynonyms(stem, word)) return [{ stem, similarity: 0.7 }]
    const isLong = word.length >= min.prefix && stem.length >= min.prefix
    return isLong && (stem.startsWith(word) || word.startsWith(stem)) ? [{ stem, similarity: 0.7 }] : []
  })
  if (exact.length > 0 || word.length < min.misspelt) return exact
  const errors = word.length < 7 ? 1 : 2
  return known.flatMap((stem): ReadonlyArray<Match> => {
    const similarity = 0.6 / Math.max(1, Words.distance(word, stem))
    return Math.abs(stem.length - word.length) <= errors && Words.distance(word, stem) <= errors
      ? [{ stem, similarity }]
      : []
  })
}

/** Maximum number of words of a query. */
const MAX_WORDS = 24

/** Maximum number of characters of a word. Longer ones match nothing. */
const MAX_LENGTH = 40

/** Part of the best score below which an operation is not a result. */
const CUTOFF = 0.35

/**
 * Returns the operations that match a query, the best first. A name, or a method and path, only gives the operations of
 * that name or path.
 */
export const search = (query: string): ReadonlyArray<CatalogEntry> => {
  const named = OperationName.find(query)
  if (named !== undefined) return [named]
  const routes = OperationName.findRoutes(query)
  if (routes.length > 0) return routes
  const words = [...new Set(Words.stems(query).filter(({ length }) => length <= MAX_LENGTH))].slice(0, MAX_WORDS)
  const perWord = words.map((word) => ({ word, found: matches(word) })).filter(({ found }) => found.length > 0)
  if (!canAnswer(words)) return []
  const scored = all().map((each) => ({ entry: each.entry, score: score(each, perWord) }))
  const best = Math.max(...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score > 0 && score >= best * CUTOFF)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** Effects that a word of the query can ask for. Operations with another effect do not match the query. */
const askedEffects = [
  ["create", "create add new open"],
  ["delete", "delete remove destroy"]
] as const // pairs

/** Part of the weight of the other words that an operation with the effect must cover. */
const MIN_COVERED = 0.5

/**
 * Returns false for a query that asks to create or delete a resource for which the forge has no such operation, for
 * example a pull request. Only words of names and summaries count, because the other texts
 * mention other resources.
 */
const canAnswer = (words: ReadonlyArray<string>): boolean =>
  askedEffects.every(([effect, verbs]) => {
    const own = new Set(Words.stems(verbs))
    const others = words.filter((word) => !own.has(word))
    if (others.length === words.length || others.length === 0) return true
    const known = others.map((word) => ({ found: matches(word), weight: rarity(word) }))
    const total = known.reduce((sum, { weight }) => sum + weight, 0)
    return all().some(({ entry, weights }) => {
      if (entry.operation.effect !== effect) return false
      const covered = known.filter(({ found }) =>
        found.some(({ stem }) => (weights.get(stem) ?? 0) >= fieldWeights.name)
      )
      return covered.reduce((sum, { weight }) => sum + weight, 0) >= total * MIN_COVERED
    })
  })

/** A word of the query, and the matches. */
interface QueryWord {
  readonly word: string
  readonly found: ReadonlyArray<Match>
}

const score = ({ own, weights }: Indexed, perWord: ReadonlyArray<QueryWord>): number => {
  const covered = new Set<string>()
  let total = 0
  for (const { found, word } of perWord) {
    let best = 0
    for (const { similarity, stem } of found) {
      const weight = weights.get(stem)
      if (weight === undefined) continue
      covered.add(stem)
      // A rare synonym must not weigh more than the word of the query.
      best = Math.max(best, weight * similarity * Math.min(rarity(stem), rarity(word)))
    }
    total += best
  }
  const uncovered = [...own].filter((stem) => !covered.has(stem)).length
  return total / (1 + 0.04 * uncovered)
}

/** Returns the weight of a stem, which is higher for stems of few operations than for `list` or `repository`. */
const rarity = (stem: string): number => 0.5 + Math.log(all().length / (counts().get(stem) ?? 1))
