/** The views of the explorer with much content, and the actions of a person in each view. */
import type { Page } from "playwright-core"
import { navigate, searchBox } from "../../acceptance/ExplorerBrowser.test-support.ts"
import { ENTRIES, LINES, REPOSITORIES, sizes, SYMBOLS } from "./LargeWorld.ts"

export interface PageView {
  readonly view: string
  readonly content: string
  /** The path of the view's page, from the full name of the repository. */
  readonly path: (repo: string) => string
  /** A selector of an element that exists once the view is open. */
  readonly ready: string
  /** The actions of a person in the view, in order, by the name of the row. */
  readonly actions: Readonly<Record<string, (page: Page, repo: string) => Promise<unknown>>>
}

const format = (count: number) => count.toLocaleString("en-US")

const file =
  (path: string, rest = "") =>
  (repo: string) =>
    `file?repo=${repo}&path=${path}${rest}`
const folder = (path: string) => (repo: string) => `tree?repo=${repo}&path=${path}`

/** Opens another view by a link of the page. */
const leave = async (page: Page, repo: string) => {
  await navigate(page, folder("uses")(repo))
  await page.locator(".entries a.entry[href*='use-001']").waitFor()
}

/** The number of saved searches. */
export const SEARCHES = 100

export const views: ReadonlyArray<PageView> = [
  {
    view: "home",
    content: `${format(REPOSITORIES)} repositories, ${SEARCHES} saved searches`,
    path: () => "",
    ready: ".repository-row",
    actions: {
      scroll: (page) => scroll(page),
      filter: async (page) => {
        await page.keyboard.press("f")
        await type(page, "part-01 part")
      }
    }
  },
  {
    view: "search",
    content: `${format(sizes.uses)} matching lines and more`,
    path: () => "search?q=export",
    ready: "[data-result='0']",
    actions: {
      scroll: (page) => scroll(page),
      "type a query": async (page, repo) => {
        await navigate(page, "./")
        await searchBox(page).focus()
        await type(page, "shared const export")
        await page.locator("[data-result='0']").waitFor()
        await settle(page)
        await leave(page, repo)
      }
    }
  },
  {
    view: "folder",
    content: `${format(ENTRIES)} entries`,
    path: folder("entries"),
    ready: ".entries a.entry[href*='entry-00001']",
    actions: {
      scroll: (page) => scroll(page),
      "scroll the tree": async (page) => {
        await openTree(page)
        await scroll(page, ".file-tree")
        await closeTree(page)
      },
      "step by key": async (page) => {
        for (let step = 0; step < 40; step++) await page.keyboard.press("j")
      },
      leave
    }
  },
  {
    view: "Markdown file",
    content: "990 kB",
    path: file("guide.md"),
    ready: ".markdown h1",
    actions: { scroll: (page) => scroll(page), leave }
  },
  {
    view: "Markdown file",
    content: "90 kB",
    path: file("manual.md"),
    ready: ".markdown h1",
    actions: { scroll: (page) => scroll(page), leave }
  },
  {
    view: "source file",
    content: `${format(LINES)} lines`,
    path: file("long.ts"),
    ready: ".tok-keyword",
    actions: {
      scroll: (page) => scroll(page, ".cm-scroller"),
      find: async (page) => {
        await page.keyboard.press("Control+f")
        await type(page, "return")
        await page.keyboard.press("Escape")
      },
      leave
    }
  },
  {
    view: "outline",
    content: `${format(SYMBOLS)} symbols`,
    path: file("symbols.ts", "&side=symbols"),
    ready: ".symbols .symbol",
    actions: {
      scroll: (page) => scroll(page, ".symbols"),
      filter: async (page) => {
        await page.getByLabel("Filter symbols").focus()
        await type(page, "bol19")
      },
      leave
    }
  },
  {
    view: "uses",
    content: `${format(sizes.uses)} uses`,
    path: file("shared.ts", "&uses=shared@shared.ts:2:14"),
    ready: ".uses-line",
    actions: {
      scroll: (page) => scroll(page, ".uses-list"),
      filter: async (page) => {
        await page.getByLabel("Filter uses by path").focus()
        await type(page, "use-03")
        await settle(page)
        await page.getByLabel("Filter uses by path").fill("")
      },
      "step to uses": async (page) => {
        await page.locator(".cm-content").focus()
        for (let step = 0; step < 12; step++) {
          await page.keyboard.press("F4")
          await settle(page)
        }
      }
    }
  },
  {
    view: "hover card",
    content: `a name with ${format(sizes.uses)} uses`,
    path: file("uses/use-001.ts"),
    ready: ".tok-keyword",
    actions: {
      show: async (page) => {
        await page.locator(".cm-line", { hasText: "shared(3)" }).getByText("shared").hover()
        await page.locator(".identifier-card .card-signature").waitFor()
        await settle(page)
      },
      leave
    }
  },
  {
    view: "comparison",
    content: `${format(sizes.changedFiles)} files, ${format(sizes.changedLines)} changed lines`,
    path: (repo) => `compare?repo=${repo}&base=main&head=next`,
    ready: ".diff-head",
    actions: {
      scroll: (page) => scroll(page),
      "step through changes": async (page) => {
        for (let step = 0; step < 20; step++) await page.keyboard.press("n")
        await settle(page)
      },
      leave
    }
  },
  {
    view: "commit",
    content: `${format(sizes.changedFiles)} files, ${format(sizes.changedLines)} changed lines`,
    path: (repo) => `commit?repo=${repo}&ref=next`,
    ready: ".diff-head",
    actions: { scroll: (page) => scroll(page), leave }
  },
  {
    view: "history",
    content: `${format(sizes.commits)} commits`,
    path: (repo) => `history?repo=${repo}`,
    ready: ".commits li",
    actions: {
      "load all": async (page) => {
        const older = page.getByRole("button", { name: "Older commits" })
        for (let at = 30; at < sizes.commits; at += 30) {
          await older.click()
          await page.locator(`.commits li:nth-child(${at + 1})`).waitFor()
        }
      },
      scroll: (page) => scroll(page),
      leave
    }
  }
]

/** Frames of each part of a scroll, and pixels in each frame. */
const FRAMES = 50
const PIXELS = 200

/** Scrolls the page, or an element: at the start, from the middle, and at the end, then back to the start. */
const scroll = async (page: Page, selector?: string) => {
  const element = selector === undefined ? undefined : await page.locator(selector).first().elementHandle()
  await page.evaluate(
    async ([element, frames, pixels]) => {
      const scroller = element ?? document.documentElement
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (const start of [0, 0.5, 1, 0]) {
        scroller.scrollTop = start * scroller.scrollHeight
        for (let at = 0; at < frames; at++) {
          await frame()
          scroller.scrollTop += start === 1 ? -pixels : pixels
        }
      }
    },
    [element, FRAMES, PIXELS] as const // a tuple
  )
  await settle(page)
}

/** Types like a person. */
const type = async (page: Page, text: string) => {
  await page.keyboard.type(text, { delay: 60 })
  await settle(page)
}

/** Waits until the page has not changed for a while. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const end = () => {
          observer.disconnect()
          resolve()
        }
        let timer = setTimeout(end, 600)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(end, 600)
        })
        observer.observe(document, { subtree: true, childList: true, characterData: true })
      })
  )

/** Opens the tree of a narrow window. */
const openTree = async (page: Page) => {
  if ((await page.locator(".file-tree").count()) > 0) return
  await page.getByRole("button", { name: "Show the file tree" }).click()
  await page.locator(".file-tree [role=treeitem]").first().waitFor()
  await settle(page)
}

const closeTree = async (page: Page) => {
  const close = page.getByRole("dialog", { name: "Files" }).getByRole("button", { name: "Close" })
  if ((await close.count()) > 0) await close.click()
}
