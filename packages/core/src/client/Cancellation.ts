/** Fibers that an `AbortSignal` interrupts: one listener for all calls that share a signal, and none when they have ended. */
import type * as Fiber from "effect/Fiber"

interface Group {
  readonly fibers: Set<Fiber.Fiber<unknown, unknown>>
  readonly onAbort: () => void
}

const groups = new WeakMap<AbortSignal, Group>()

/** Interrupts the fiber when the signal aborts, or now if it has. */
export const attach = (signal: AbortSignal, fiber: Fiber.Fiber<unknown, unknown>): void => {
  if (signal.aborted) return fiber.interruptUnsafe()
  const group = groups.get(signal) ?? open(signal)
  group.fibers.add(fiber)
  fiber.addObserver(() => {
    group.fibers.delete(fiber)
    if (group.fibers.size > 0) return
    signal.removeEventListener("abort", group.onAbort)
    if (groups.get(signal) === group) groups.delete(signal)
  })
}

const open = (signal: AbortSignal): Group => {
  const fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  const onAbort = () => {
    for (const fiber of fibers) fiber.interruptUnsafe()
  }
  const group = { fibers, onAbort }
  groups.set(signal, group)
  signal.addEventListener("abort", onAbort, { once: true })
  return group
}
