/** A list with numbered pages and a delay for each. */

export const PAGE_COUNT = 50
export const LATENCY_MILLIS = 50

const SIZE = 30
const URL_VALUE = "https://forge.example/repos/ada/bench/branches"

const branch = (name: string) => ({
  name,
  commit: { sha: "a".repeat(40), url: "https://forge.example/commit" },
  protected: false
})

export const respond = (asked: string): Response => {
  if (!asked.startsWith(URL_VALUE)) return new Response("{}", { status: 404 })
  const page = Number(new URL(asked).searchParams.get("page") ?? 1)
  const to = (page: number) => `${URL_VALUE}?per_page=${SIZE}&page=${page}`
  const link = page < PAGE_COUNT ? { link: `<${to(page + 1)}>; rel="next", <${to(PAGE_COUNT)}>; rel="last"` } : {}
  const items = Array.from({ length: SIZE }, (_, index) => branch(`b${(page - 1) * SIZE + index}`))
  return new Response(JSON.stringify(items), {
    headers: { "content-type": "application/json; charset=utf-8", ...link }
  })
}

/** Throws unless the list is complete and in order. */
export const assertComplete = (names: ReadonlyArray<string>) => {
  if (names.length !== PAGE_COUNT * SIZE || names.some((name, index) => name !== `b${index}`))
    throw new Error(`the list is incomplete or not in order: ${names.length} items`)
}
