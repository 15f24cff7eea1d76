/** Scrolling to files, changes and lines of a virtual list of diffs. */
import type { Virtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react"
import type { DiffLine } from "../model/DiffRoute.ts"
import type { DiffItem, FileItems } from "./DiffItems.ts"
import * as DiffItems from "./DiffItems.ts"

interface Lists {
  readonly virtualizer: Virtualizer<Window, Element>
  readonly items: ReadonlyArray<DiffItem>
  readonly files: ReadonlyArray<FileItems>
  readonly list: RefObject<HTMLDivElement | null>
  /** Pixels of a rem. */
  readonly rem: number
}

/** A change of a file; -1 for a file without rows. */
interface Change {
  readonly file: number
  readonly change: number
}

/** Maximum number of frames in which a target may move, because rows above the target are still being measured. */
const MAX_FRAMES = 120

/** Frames without a move after which a target is in place. */
const SETTLED_FRAMES = 3

/** Scrolls by key and link. */
export const useChangeSteps = ({ files, items, list, rem, virtualizer }: Lists) => {
  const run = useRef(0)
  /** Height that the header of the page and the head of a file cover. */
  const covered = () => (document.querySelector(".header")?.getBoundingClientRect().height ?? 0) + 3 * rem

  /**
   * Scrolls until the element is `distance` pixels below the top of the window, and follows the element while rows are
   * measured.
   */
  const settle = (offset: number, find: () => HTMLElement | null, distance: number, focus: boolean) => {
    const id = ++run.current
    scrollTo(0, offset - distance)
    let still = 0
    const step = (frame: number) => {
      if (run.current !== id || frame > MAX_FRAMES) return
      const element = find()
      const error = element === null ? 0 : Math.round(element.getBoundingClientRect().top - distance)
      const isAtEnd = error > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 1
      if (error !== 0 && !isAtEnd) {
        scrollBy(0, error)
        still = 0
      } else if (element !== null) still++
      if (element !== null && focus && document.activeElement !== element) element.focus({ preventScroll: true })
      if (still < SETTLED_FRAMES) requestAnimationFrame(() => step(frame + 1))
    }
    requestAnimationFrame(() => step(0))
  }
  // The reader's own scrolling ends the adjustment.
  useLayoutEffect(() => {
    const stop = () => {
      run.current++
    }
    addEventListener("wheel", stop, { passive: true })
    addEventListener("touchmove", stop, { passive: true })
    return () => {
      removeEventListener("wheel", stop)
      removeEventListener("touchmove", stop)
    }
  }, [])

  const startOf = (index: number): number => virtualizer.measurementsCache[index]?.start ?? 0
  const header = () => covered() - 3 * rem
  const fileElement = (file: number) => list.current?.querySelector<HTMLElement>(`[data-file="${file}"]`) ?? null

  const revealFile = (file: number) => {
    const place = files[file]
    if (place !== undefined) settle(startOf(place.first), () => fileElement(file), header(), false)
  }
  const reveal = (index: number, row: number, find: () => HTMLElement | null, focus: boolean) =>
    settle(startOf(index) + row * DiffItems.ROW * rem, find, covered() + innerHeight / 6, focus)

  /** All changes in order, with the item and row of each. */
  const changes = () => {
    const all: Array<Change & { readonly item: number; readonly row: number }> = []
    for (const [file, { first, last }] of files.entries()) {
      const before = all.length
      for (let item = first; item <= last; item++) {
        const rows = items[item]
        if (rows?._tag !== "Chunk") continue
        for (const [row, { change }] of rows.rows.entries())
          if (change !== undefined) all.push({ file, change, item, row })
      }
      if (all.length === before) all.push({ file, change: -1, item: first, row: 0 })
    }
    return all
  }

  const last = useRef<Change>(undefined)
  const current = (): Change | undefined => {
    const [, file, change] = /^change-(\d+)-(\d+)$/.exec(document.activeElement?.id ?? "") ?? []
    if (file !== undefined) return { file: Number(file), change: Number(change) }
    const { activeElement } = document
    const section =
      list.current?.contains(activeElement) === true ? activeElement?.closest<HTMLElement>("[data-file]") : undefined
    return section === undefined || section === null ? undefined : { file: Number(section.dataset["file"]), change: -1 }
  }

  const stepChange = (by: 1 | -1) => {
    const all = changes()
    const focused = current()
    const known = focused?.change === -1 && last.current?.file === focused.file ? last.current : focused
    const at = all.findIndex(({ change, file }) => file === known?.file && change === known.change)
    // Without a current change, starts at the next change below the top of the window.
    const edge = scrollY + covered()
    const below = all.findIndex(({ item, row }) => startOf(item) + row * DiffItems.ROW * rem >= edge)
    const next =
      at !== -1 ? at + by : by === 1 ? (below === -1 ? all.length - 1 : below) : (below === -1 ? all.length : below) - 1
    const target = all[Math.max(0, Math.min(all.length - 1, next))]
    if (target === undefined) return
    const { change, file, item, row } = target
    last.current = { file, change }
    if (change !== -1) return reveal(item, row, () => document.querySelector(`#change-${file}-${change}`), true)
    revealFile(file)
    fileElement(file)?.querySelector("button")?.focus({ preventScroll: true })
  }

  return {
    covered,
    current,
    header,
    revealFile,
    stepChange,
    stepFile: (by: 1 | -1, visible: number) => {
      const file = Math.max(0, Math.min(files.length - 1, (current()?.file ?? visible) + by))
      revealFile(file)
      const focus = () => fileElement(file)?.querySelector("button")?.focus({ preventScroll: true })
      focus()
      requestAnimationFrame(focus)
    },
    revealLine: (file: number, { number, side }: DiffLine) => {
      const place = files[file]
      if (place === undefined) return
      for (let item = place.first; item <= place.last; item++) {
        const part = items[item]
        if (part?._tag !== "Chunk") continue
        const row = part.rows.findIndex(({ left, right }) => (side === "L" ? left?.old : right?.new) === number)
        if (row === -1) continue
        const find = () => fileElement(file)?.querySelector<HTMLElement>(".diff-line[data-chosen]") ?? null
        return reveal(item, row, find, true)
      }
      revealFile(file)
    },
    /** Scrolls back to the head of a file that the reader closed after scrolling past the start of the file. */
    keepHead: (file: number) => {
      const place = files[file]
      if (place !== undefined && startOf(place.first) < scrollY + header()) scrollTo(0, startOf(place.first) - header())
    },
    /** Moves the focus between lines by the arrow keys. */
    moveByLine: (event: KeyboardEvent) => {
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
      const line = event.target instanceof Element && event.target.matches(".diff-line") ? event.target : undefined
      if (line === undefined) return
      if (event.key === "Enter") {
        event.preventDefault()
        const numbers = line.querySelectorAll<HTMLElement>("a.diff-number")
        numbers[numbers.length - 1]?.click()
      }
      if (by === 0) return
      event.preventDefault()
      const lines = Array.from(list.current?.querySelectorAll<HTMLElement>(".diff-line") ?? [])
      const next = lines[lines.findIndex((one) => one === line) + by]
      next?.focus({ preventScroll: true })
      next?.scrollIntoView({ block: "nearest" })
    }
  }
}
