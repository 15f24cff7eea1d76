/** The longest task of a page's thread, in CPU time, which other processes do not affect. */
import type { Page } from "playwright-core"

/** The longest task that all pages of the browser run while `act` runs (milliseconds of CPU time). */
export const during = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ["toplevel", "devtools.timeline"] })
  try {
    await act()
  } catch (error) {
    await browser?.stopTracing()
    throw error
  }
  return longest((await browser?.stopTracing())?.toString() ?? "{}")
}

/** An event of a Chromium trace, in microseconds; `tdur` is CPU time of the thread. */
interface Trace {
  readonly traceEvents?: ReadonlyArray<{
    readonly name: string
    readonly pid: number
    readonly tid: number
    readonly tdur?: number
    readonly args: { readonly name?: string }
  }>
}

const longest = (text: string): number => {
  const { traceEvents = [] }: Trace = JSON.parse(text)
  const threads = new Set(
    traceEvents
      .filter(({ args, name }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`)
  )
  return traceEvents.reduce(
    (longest, { name, pid, tdur = 0, tid }) =>
      name.endsWith("RunTask") && threads.has(`${pid} ${tid}`) ? Math.max(longest, tdur / 1_000) : longest,
    0
  )
}
