/**
 * Random queries of the searches. A term is its text and what it means, so the model needs no parser. The rules are of
 * GitHub's "Understanding the search syntax" and "Filtering and searching issues": a space is AND, but OR between
 * `user:`, `org:` and `repo:`; `-` negates a qualifier, and `NOT` a word.
 */
import type { Random } from "../../access/RightsModel.test-support.ts"

/** The caller, and the values of `in:`. */
export interface Asking {
  /** Undefined without an account, where `@me` has no meaning. */
  readonly login: string | undefined
  /** The places that are searched for words; undefined for the default. */
  readonly places: ReadonlyArray<string> | undefined
}

export interface Term<Item> {
  readonly text: string
  readonly kind: "word" | "qualifier" | "group"
  /** Number of AND, OR and NOT. */
  readonly operators: number
  readonly test: (item: Item, asking: Asking) => boolean
}

export const qualifier = <Item>(text: string, test: Term<Item>["test"]): Term<Item> => ({
  text,
  kind: "qualifier",
  operators: 0,
  test
})

/** Words without case and accents. A character of a script without spaces is a word. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[\u3040-\u9FFF]/gu, " $& ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** True if a text has the words, one after the other. */
export const has = (text: string, phrase: string): boolean =>
  ` ${wordsOf(text).join(" ")} `.includes(` ${wordsOf(phrase).join(" ")} `)

const not = <Item>(term: Term<Item>): Term<Item> => ({
  text: term.kind === "qualifier" ? `-${term.text}` : `NOT ${term.text}`,
  kind: "group",
  operators: term.operators + (term.kind === "qualifier" ? 0 : 1),
  test: (item, asking) => !term.test(item, asking)
})

const joined = <Item>(
  terms: ReadonlyArray<Term<Item>>,
  operator: string,
  isAll: boolean,
  hasParentheses: boolean
): Term<Item> => {
  const text = terms.map((one) => one.text).join(operator)
  return {
    text: hasParentheses ? `(${text})` : text,
    kind: "group",
    operators:
      terms.reduce((sum, one) => sum + one.operators, 0) + (operator === " " ? 0 : Math.max(0, terms.length - 1)),
    test: (item, asking) =>
      isAll ? terms.every((one) => one.test(item, asking)) : terms.some((one) => one.test(item, asking))
  }
}

/** A random term of a depth, from leaves. Groups are in parentheses. */
export const tree = <Item>(random: Random, leaf: () => Term<Item>, depth: number): Term<Item> => {
  if (depth === 0 || random.chance(0.35)) {
    const term = leaf()
    // GitHub: `no:` cannot be negated.
    return random.chance(0.25) && !term.text.startsWith("no:") ? not(term) : term
  }
  const terms = Array.from({ length: 2 + random.below(2) }, () => tree(random, leaf, depth - 1))
  const isAll = random.chance(0.5)
  const group = joined(terms, isAll ? (random.chance(0.5) ? " " : " AND ") : " OR ", isAll, true)
  return random.chance(0.12) ? not(group) : group
}

const shuffled = <A>(random: Random, values: ReadonlyArray<A>): ReadonlyArray<A> => {
  const rest = [...values]
  return values.flatMap(() => rest.splice(random.below(rest.length), 1))
}

export interface Query<Item> {
  readonly q: string
  /** The owners and repositories of `user:`, `org:` and `repo:`, for access errors. */
  readonly scopes: ReadonlyArray<string>
  readonly test: (item: Item, login: string | undefined) => boolean
}

/** GitHub refuses queries with more operators. */
const MAX_OPERATORS = 5

/** A random query: terms, qualifiers of ownership of which one is true, and `in:`, in any order. */
export const query = <Item>(
  random: Random,
  options: {
    readonly leaf: () => Term<Item>
    readonly scope: (() => Term<Item>) | undefined
    readonly places: ReadonlyArray<string>
  }
): Query<Item> => {
  for (;;) {
    const terms = Array.from({ length: 1 + random.below(3) }, () => tree(random, options.leaf, random.below(3)))
    // AND binds closer than OR.
    const isFlat = random.chance(0.1)
    const [first, second, third] = [options.leaf(), options.leaf(), options.leaf()]
    const flat = joined([first, joined([second, third], " AND ", true, false)], " OR ", false, false)
    const { scope } = options
    const hasScope = !isFlat && scope !== undefined && random.chance(0.35)
    const scopes = hasScope ? Array.from({ length: 1 + random.below(3) }, scope) : []
    const excluded = !isFlat && scope !== undefined && random.chance(0.1) ? [not(scope())] : []
    const count = 1 + random.below(Math.max(1, options.places.length))
    const chosen = shuffled(random, options.places).slice(0, count)
    const places = !isFlat && chosen.length > 0 && random.chance(0.3) ? chosen : undefined
    const parts = isFlat ? [flat] : [...terms, ...excluded]
    if (parts.reduce((sum, one) => sum + one.operators, 0) > MAX_OPERATORS) continue
    const all = joined(parts, " ", true, false)
    const q = shuffled(random, [
      ...parts.map(({ text }) => text),
      ...scopes.map(({ text }) => text),
      ...(places === undefined
        ? []
        : random.chance(0.5)
          ? [`in:${places.join(",")}`]
          : places.map((place) => `in:${place}`))
    ]).join(" ")
    if (q.length > 240) continue
    return {
      q,
      scopes: scopes.map(({ text }) => text.slice(text.indexOf(":") + 1)),
      test: (item, login) => {
        const asking = { login, places }
        return all.test(item, asking) && (scopes.length === 0 || scopes.some((one) => one.test(item, asking)))
      }
    }
  }
}

export const quoted = (text: string): string => (/^[\w/@*.-]+$/.test(text) ? text : `"${text}"`)

/** A word or phrase in one of the places of an item. */
export const word = <Item>(
  random: Random,
  words: ReadonlyArray<string>,
  places: Readonly<Record<string, (item: Item) => ReadonlyArray<string>>>,
  byDefault: ReadonlyArray<string>
): Term<Item> => {
  const one = random.one(words) ?? ""
  const phrase = random.chance(0.25) ? `${one} ${random.one(words) ?? ""}` : one
  const cased = random.chance(0.2) ? phrase.toUpperCase() : phrase
  return {
    text: phrase === one ? quoted(cased) : `"${cased}"`,
    kind: "word",
    operators: 0,
    test: (item, asking) =>
      (asking.places ?? byDefault).some((place) => places[place]?.(item).some((text) => has(text, phrase)))
  }
}

/** A qualifier of a number: `n`, `>n`, `a..b`, `*..n` and so on. */
export const number = <Item>(
  random: Random,
  name: string,
  limit: number,
  value: (item: Item) => number
): Term<Item> => {
  const low = random.below(limit)
  const high = low + random.below(limit)
  return (
    random.one([
      qualifier<Item>(`${name}:${low}`, (item) => value(item) === low),
      qualifier<Item>(`${name}:>${low}`, (item) => value(item) > low),
      qualifier<Item>(`${name}:>=${low}`, (item) => value(item) >= low),
      qualifier<Item>(`${name}:<${high}`, (item) => value(item) < high),
      qualifier<Item>(`${name}:<=${high}`, (item) => value(item) <= high),
      qualifier<Item>(`${name}:${low}..${high}`, (item) => value(item) >= low && value(item) <= high),
      qualifier<Item>(`${name}:${low}..*`, (item) => value(item) >= low),
      qualifier<Item>(`${name}:*..${high}`, (item) => value(item) <= high)
    ]) ?? qualifier(`${name}:0`, (item) => value(item) === 0)
  )
}

const DAY = 86_400_000
const isoOf = (time: number) => new Date(time).toISOString().replace(".000Z", "Z")

/** A qualifier of a time, by days in UTC or by seconds with an offset. An item without the time matches none. */
export const date = <Item>(
  random: Random,
  name: string,
  times: ReadonlyArray<number>,
  value: (item: Item) => number | undefined
): Term<Item> => {
  const exact = random.one(times) ?? 0
  const other = random.one(times) ?? 0
  const isDay = random.chance(0.6)
  const first = isDay ? Math.floor(Math.min(exact, other) / DAY) * DAY : Math.min(exact, other)
  const last = isDay ? Math.floor(Math.max(exact, other) / DAY) * DAY : Math.max(exact, other)
  const end = (time: number) => (isDay ? time + DAY - 1 : time)
  const text = (time: number) =>
    isDay
      ? isoOf(time).slice(0, 10)
      : random.chance(0.5)
        ? isoOf(time)
        : `${isoOf(time + 7 * 3_600_000).slice(0, 19)}+07:00`
  const by = (range: string, test: (time: number) => boolean) =>
    qualifier<Item>(`${name}:${range}`, (item) => {
      const time = value(item)
      return time !== undefined && test(time)
    })
  return (
    random.one([
      by(text(first), (time) => time >= first && time <= end(first)),
      by(`>${text(first)}`, (time) => time > end(first)),
      by(`>=${text(first)}`, (time) => time >= first),
      by(`<${text(last)}`, (time) => time < last),
      by(`<=${text(last)}`, (time) => time <= end(last)),
      by(`${text(first)}..${text(last)}`, (time) => time >= first && time <= end(last)),
      by(`${text(first)}..*`, (time) => time >= first),
      by(`*..${text(last)}`, (time) => time <= end(last))
    ]) ?? by("*..*", () => true)
  )
}
