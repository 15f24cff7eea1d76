/**
 * Interrupts fibers when an `AbortSignal` aborts. All calls with one signal share a listener, removed when the last
 * call ends.
 */
import type * as Fiber from "effect/Fiber"

interface SignalGroup {
  readonly fibers: Set<Fiber.Fiber<unknown, unknown>>
  readonly onAbort: () => void
}

const groupsBySignal = new WeakMap<AbortSignal, SignalGroup>()

/** Interrupts the fiber when the signal aborts; immediately for an aborted signal. */
export const interruptOnAbort = (signal: AbortSignal, fiber: Fiber.Fiber<unknown, unknown>): void => {
  if (signal.aborted) return fiber.interruptUnsafe()
  const group = groupsBySignal.get(signal) ?? listen(signal)
  group.fibers.add(fiber)
  fiber.addObserver(() => {
    group.fibers.delete(fiber)
    if (group.fibers.size > 0) return
    signal.removeEventListener("abort", group.onAbort)
    if (groupsBySignal.get(signal) === group) groupsBySignal.delete(signal)
  })
}

const listen = (signal: AbortSignal): SignalGroup => {
  const fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  const onAbort = () => {
    for (const fiber of fibers) fiber.interruptUnsafe()
  }
  const group = { fibers, onAbort }
  groupsBySignal.set(signal, group)
  signal.addEventListener("abort", onAbort, { once: true })
  return group
}
