/**
 * Caches pages of rows until the database changes. A row that a change leaves equal stays the same object, so that values
 * derived from the row can be cached by identity.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { LruCache } from "../base/LruCache.ts"
import type { PageRequest } from "../base/Paging.ts"
import * as RevisionCache from "./RevisionCache.ts"
import { decodeCount } from "./RowDecoder.ts"
import type { StoreRevision } from "./StoreRevision.ts"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Number of rows of all pages. */
  readonly total: number
}

interface CachedPage<A> extends Page<A> {
  readonly bytes: number
}

interface Query {
  /** The condition, order and range of the page. */
  readonly key: Statement<unknown>
  readonly range: PageRequest
  /** Selects the rows with the column `id` and the column `total`. */
  readonly rows: () => Effect.Effect<ReadonlyArray<unknown>, SqlError>
  /** Selects the number of rows of all pages as `count`. */
  readonly count: () => Effect.Effect<ReadonlyArray<unknown>, SqlError>
}

/** Maximum memory of the rows and of the pages of one cache, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** Approximate memory of a row or a page without texts, in bytes. */
const OVERHEAD = 500

const decodeTotal = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, total: Schema.Int }))

export const make = <A, I>(revision: StoreRevision["Service"], row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownSync(row)
  const rows = new LruCache<{ readonly text: string; readonly value: A }>(MAX_BYTES)
  const pages = RevisionCache.make<CachedPage<A>>(revision, MAX_BYTES, undefined, ({ bytes }) => bytes)

  const share = (raw: unknown, id: number) => {
    const text = JSON.stringify(raw)
    const known = rows.get(String(id))
    if (known?.text === text) return known
    const read = { text, value: decode(raw) }
    rows.set(String(id), read, 2 * text.length + OVERHEAD)
    return read
  }

  const read = Effect.fnUntraced(function* ({ count, range, rows }: Query): Effect.fn.Return<CachedPage<A>> {
    const raws = yield* Effect.orDie(rows())
    const all = raws.map((raw) => decodeTotal(raw))
    const shared = raws.map((raw, index) => share(Object.assign({}, raw, { total: 0 }), all[index]?.id ?? 0))
    return {
      items: shared.map(({ value }) => value),
      // A page after the last one, and a page without rows, has no row with the total.
      total: all[0]?.total ?? (range.offset === 0 && range.perPage > 0 ? 0 : yield* decodeCount(count())),
      bytes: shared.reduce((sum, { text }) => sum + 2 * text.length, OVERHEAD)
    }
  })

  return (query: Query): Effect.Effect<Page<A>> => {
    const [sql, params] = query.key.compile()
    const key = `${sql}\n${JSON.stringify(params)}`
    const known = pages.find(key)
    return known === undefined ? pages.get(key, read(query)) : Effect.succeed(known)
  }
}
