/**
 * Measures the explorer's page in a browser: first paint, size of the scripts, scrolling through a thousand results,
 * and the longest task of each view.
 */
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import {
  desktop,
  type Explorer,
  fileHit,
  launch,
  skipReason,
  phone,
  stubIndex
} from "../../acceptance/ExplorerBrowser.test-support.ts"
import type { Benchmark } from "../Benchmark.ts"
import { atMost, type Row } from "../Report.ts"
import { median } from "../Statistics.ts"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import * as LongestTask from "./LongestTask.ts"
import * as ViewTasks from "./ViewTasks.ts"

const run: Benchmark["run"] = Effect.fnUntraced(function* ({ quick }) {
  if (skipReason !== "") return yield* new BenchmarkEnvironment.BenchmarkError({ detail: `the explorer${skipReason}` })
  const rounds = quick ? 3 : 9
  const explorer = yield* Effect.acquireRelease(
    BenchmarkEnvironment.tryPromise(() => launch()),
    (explorer) => Effect.promise(() => explorer.close())
  )
  const paints: Array<Paint> = []
  for (let round = 0; round <= rounds; round++) {
    const paint = yield* BenchmarkEnvironment.tryPromise(() => firstPaint(explorer))
    // The first paint includes the server's start.
    if (round > 0) paints.push(paint)
  }
  const frames: Array<Row & Frames> = []
  for (const [name, viewport] of [
    ["1440 × 900", desktop],
    ["390 × 844", phone]
  ] as const) {
    // pairs
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      frames.push({ window: name, ...(yield* BenchmarkEnvironment.tryPromise(() => scroll(explorer, viewport))) })
    }
  }
  const painted = median(paints.map(({ painted }) => painted))
  const scripts = median(paints.map(({ scripts }) => scripts))
  const longest = median(frames.map(({ longest }) => longest))
  const task = Math.max(...frames.map((row) => row["longest task (ms of work)"]))
  const folder = yield* BenchmarkEnvironment.temporaryFolder
  const views = yield* BenchmarkEnvironment.tryPromise(() => ViewTasks.measure(folder, quick))
  const longestOfViews = Math.max(...views.flatMap((row) => [row["1440 × 900"], row["390 × 844"]]))
  return {
    sections: [
      {
        title: "The first page, without caches (medians)",
        rows: [
          {
            "first paint (ms)": painted,
            "repositories there (ms)": median(paints.map(({ there }) => there)),
            "scripts (kB, compressed)": scripts
          }
        ]
      },
      { title: "Scrolling through 1,000 results, from the first to the last", rows: frames },
      { title: "Longest task per window (ms of CPU time)", rows: views }
    ],
    goals: [
      { goal: "first paint on localhost, at most 500 ms", ...atMost(painted, 500, " ms") },
      { goal: "scripts before the editor, at most 300 kB compressed", ...atMost(scripts, 300, " kB") },
      { goal: "longest frame while 1,000 results scroll, at most 50 ms", ...atMost(longest, 50, " ms") },
      { goal: "longest task of the page meanwhile, at most 50 ms of CPU time", ...atMost(task, 50, " ms") },
      {
        goal: `at most ${ViewTasks.MAX_TASK} ms of CPU time in every window`,
        ...atMost(longestOfViews, ViewTasks.MAX_TASK, " ms")
      }
    ],
    notes: [
      "Chromium renders without a GPU here, and other processes delay frames.",
      "A window with a task over the goal is measured three times; its row has the medians."
    ]
  }
})

export const explorer: Benchmark = {
  name: "explorer",
  summary: "the explorer's page: first paint, scripts, frames while results scroll, longest tasks",
  run
}

interface Paint {
  readonly painted: number
  readonly there: number
  readonly scripts: number
}

const firstPaint = async ({ open }: Explorer): Promise<Paint> => {
  const { page } = await open("")
  await page.locator(".card").first().waitFor()
  const paint = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    there: performance.now(),
    scripts:
      performance
        .getEntriesByType("resource")
        .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith(".js"))
        .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0) /
      1_000
  }))
  await page.context().close()
  return paint
}

interface Frames {
  readonly frames: number
  readonly "median (ms)": number
  readonly "99 % (ms)": number
  readonly longest: number
  /** The longest task in CPU time of the page's thread, which other processes do not affect (milliseconds). */
  readonly "longest task (ms of work)": number
}

const scroll = async ({ open }: Explorer, viewport: typeof desktop): Promise<Frames> => {
  const files = Array.from({ length: 1_000 }, (_, at) =>
    fileHit(`packages/part-${at % 7}/src/file-${at}.ts`, { rank: -at })
  )
  const { page } = await open("search?q=hit", { viewport, prepare: stubIndex({ files }) })
  await page.locator("[data-result='0']").waitFor()
  // Loads the fonts and highlights the first rows.
  await page.waitForLoadState("networkidle")
  let lengths: ReadonlyArray<number> = []
  const task = await LongestTask.during(page, async () => {
    lengths = (await frames(page)).toSorted((a, b) => a - b)
  })
  await page.context().close()
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(share * lengths.length))] ?? Number.NaN
  return {
    frames: lengths.length,
    "median (ms)": at(0.5),
    "99 % (ms)": at(0.99),
    longest: at(1),
    "longest task (ms of work)": task
  }
}

/** The duration of each frame (milliseconds) while the page scrolls by 120 pixels per frame, 7,200 per second. */
const frames = (page: Page): Promise<ReadonlyArray<number>> =>
  page.evaluate(
    () =>
      new Promise<ReadonlyArray<number>>((resolve) => {
        const lengths: Array<number> = []
        let before: number | undefined
        const frame = (now: number) => {
          if (before !== undefined) lengths.push(now - before)
          before = now
          if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) return resolve(lengths)
          scrollBy(0, 120)
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      })
  )
