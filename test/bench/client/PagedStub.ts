/** A list with numbered pages and a delay for each. */

export const pageCount = 50
export const latencyMillis = 50

const size = 30
const url = "https://forge.example/repos/ada/bench/branches"

const branch = (name: string) => ({
  name,
  commit: { sha: "a".repeat(40), url: "https://forge.example/commit" },
  protected: false
})

export const respond = (asked: string): Response => {
  if (!asked.startsWith(url)) return new Response("{}", { status: 404 })
  const page = Number(new URL(asked).searchParams.get("page") ?? 1)
  const to = (page: number) => `${url}?per_page=${size}&page=${page}`
  const link = page < pageCount ? { link: `<${to(page + 1)}>; rel="next", <${to(pageCount)}>; rel="last"` } : {}
  const items = Array.from({ length: size }, (_, index) => branch(`b${(page - 1) * size + index}`))
  return new Response(JSON.stringify(items), {
    headers: { "content-type": "application/json; charset=utf-8", ...link }
  })
}

/** Throws unless the list is complete and in order. */
export const assertComplete = (names: ReadonlyArray<string>) => {
  if (names.length !== pageCount * size || names.some((name, index) => name !== `b${index}`))
    throw new Error(`the list is incomplete or not in order: ${names.length} items`)
}
