/** Measures the longest task of each view of the page, in desktop and phone size. */
import { setTimeout } from "node:timers/promises"
import type { IndexStatus } from "@tongs/core/contract/groups/CodeIndex"
import type { Page } from "playwright-core"
import { desktop, type Explorer, launch, phone } from "../../acceptance/ExplorerBrowser.test-support.ts"
import { median } from "../Statistics.ts"
import type { Row } from "../Report.ts"
import * as LargeWorld from "./LargeWorld.ts"
import * as LongestTask from "./LongestTask.ts"
import { type PageView, SEARCHES, settle, views } from "./PageViews.ts"

/** The goal for each task, in milliseconds of CPU time. */
export const MAX_TASK = 50

/** How often a view is measured again after a task over the goal. The median counts. */
const REPEATS = 2

const viewports = { "1440 × 900": desktop, "390 × 844": phone } as const // the names must stay literals

export interface ViewTask extends Row {
  readonly view: string
  readonly content: string
  readonly action: string
  readonly "1440 × 900": number
  readonly "390 × 844": number
}

/**
 * The longest task of each action in every view, over the repositories of `LargeWorld` in `folder`. With `isQuick`, a
 * task over the goal is not measured again.
 */
export const measure = async (folder: string, isQuick: boolean): Promise<ReadonlyArray<ViewTask>> => {
  LargeWorld.make(folder)
  const explorer = await launch(["--repos", folder])
  try {
    const repositories = await indexed(explorer)
    await saveSearches(explorer)
    const { owner = "" } = repositories.find(({ repo }) => repo === "atlas") ?? {}
    return await tasks(explorer, `${owner}/atlas`, isQuick)
  } finally {
    await explorer.close()
  }
}

const tasks = async (explorer: Explorer, repo: string, isQuick: boolean): Promise<ReadonlyArray<ViewTask>> => {
  const rows: Array<ViewTask> = []
  for (const view of views) {
    const desktop = await medians(explorer, repo, view, viewports["1440 × 900"], isQuick)
    const phone = await medians(explorer, repo, view, viewports["390 × 844"], isQuick)
    for (const [action, task] of desktop) {
      const { content, view: name } = view
      rows.push({ view: name, content, action, "1440 × 900": task, "390 × 844": phone.get(action) ?? Number.NaN })
    }
  }
  return rows
}

/** The repositories, once all are indexed. On a busy machine, the forge may leave out some of the small ones. */
const indexed = async ({ fetch }: Explorer): Promise<IndexStatus["repositories"]> => {
  for (;;) {
    const { repositories }: IndexStatus = await (await fetch("api/tongs/index")).json()
    const isReady = repositories.every(({ state }) => state === "ready")
    if (isReady && repositories.some(({ repo }) => repo === "atlas")) return repositories
    await setTimeout(200)
  }
}

/** Saves the searches of the start page. */
const saveSearches = async ({ open }: Explorer): Promise<void> => {
  const { page } = await open("")
  await page.evaluate(async (count) => {
    const path = "api/tongs/user/saved-searches"
    for (let at = 0; at < count; at++) {
      const body = JSON.stringify({ name: `search ${at}`, query: `export const use${at}` })
      const { ok, status } = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body
      })
      if (!ok) throw new Error(`Status ${status} of ${path}`)
    }
  }, SEARCHES)
  await page.context().close()
}

type Tasks = ReadonlyMap<string, number>

const medians = async (
  explorer: Explorer,
  repo: string,
  view: PageView,
  viewport: typeof desktop,
  isQuick: boolean
): Promise<Tasks> => {
  const first = await tasksOf(explorer, repo, view, viewport)
  if (isQuick || [...first.values()].every((task) => task <= MAX_TASK)) return first
  const rounds = [first]
  for (let round = 0; round < REPEATS; round++) rounds.push(await tasksOf(explorer, repo, view, viewport))
  return new Map([...first.keys()].map((action) => [action, median(rounds.map((tasks) => tasks.get(action) ?? 0))]))
}

/** Opens a view in a new page, and runs each action of the view. */
const tasksOf = async (explorer: Explorer, repo: string, view: PageView, viewport: typeof desktop): Promise<Tasks> => {
  const { page } = await explorer.open("api/connection", { viewport })
  const tasks = new Map<string, number>()
  const record = async (action: string, act: (page: Page, repo: string) => Promise<unknown>) => {
    tasks.set(action, await LongestTask.during(page, () => act(page, repo)))
  }
  await record("open", async () => {
    await page.goto(new URL(view.path(repo), explorer.url).href)
    await page.locator(view.ready).first().waitFor()
    await settle(page)
  })
  for (const [action, act] of Object.entries(view.actions)) await record(action, act)
  await page.context().close()
  return tasks
}
