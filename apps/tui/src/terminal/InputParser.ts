/** Parses the input of a terminal into keys, pasted text, mouse events and replies to queries. */
import type { Event } from "./InputEvent.ts"
import * as KeySequence from "./KeySequence.ts"

/** A parser with the input that is not complete yet. */
export interface InputParser {
  /** Parses the next input. Keeps an incomplete sequence for the next call. */
  readonly feed: (chunk: string) => ReadonlyArray<Event>
  /** Ends the incomplete sequence. A lone Escape is the key; other sequences are dropped. */
  readonly flush: () => ReadonlyArray<Event>
  /** True while a sequence is incomplete. */
  readonly hasPending: boolean
  /** Milliseconds to wait for the rest of an incomplete sequence before `flush`; undefined if nothing is incomplete. */
  readonly timeout: number | undefined
}

/** Milliseconds after which a lone Escape is the key. The rest of a sequence arrives faster. */
const ESCAPE_TIMEOUT = 30

/**
 * Milliseconds before an incomplete sequence is dropped. Longer, because the late rest of a sequence would appear as
 * typed text.
 */
const SEQUENCE_TIMEOUT = 500

/**
 * Milliseconds before pasted text without an end is inserted. Without this limit, a lost end would disable all keys.
 */
const PASTE_TIMEOUT = 2_000

/** Maximum length of a sequence to keep. The rest of a longer sequence is read but not kept. */
const MAX_SEQUENCE = 4_096

/** Maximum length of pasted text in UTF-16 code units. The rest is dropped. */
export const MAX_PASTE = 1_048_576

const PASTE_START = "\u001b[200~"
const PASTE_END = "\u001b[201~"

/** Creates a parser of terminal input. */
export const make = (): InputParser => {
  let pending = ""
  /** The pasted text so far; undefined outside of pasted text. */
  let pasted: string | undefined

  /** Reads pasted text. Returns the index after the read text. */
  const paste = (input: string, start: number, events: Array<Event>): number => {
    const end = input.indexOf(PASTE_END, start)
    const stop = end < 0 ? input.length - partialEnd(input, start) : end
    pasted = ((pasted ?? "") + input.slice(start, stop)).slice(0, MAX_PASTE)
    if (end < 0) return stop
    events.push({ _tag: "Paste", text: pasted })
    pasted = undefined
    return end + PASTE_END.length
  }

  const feed = (chunk: string): ReadonlyArray<Event> => {
    const events: Array<Event> = []
    const input = pending + chunk
    pending = ""
    let index = 0
    while (index < input.length) {
      if (pasted === undefined && input.startsWith(PASTE_START, index)) {
        pasted = ""
        index += PASTE_START.length
      }
      if (pasted !== undefined) {
        index = paste(input, index, events)
        if (pasted === undefined) continue
        pending = input.slice(index)
        break
      }
      const read = KeySequence.read(input, index)
      if (read === undefined) {
        pending = shorten(input.slice(index))
        break
      }
      events.push(...read.events)
      index = read.end
    }
    return events
  }

  const flush = (): ReadonlyArray<Event> => {
    const [rest, text] = [pending, pasted]
    pending = ""
    pasted = undefined
    if (text !== undefined) return [{ _tag: "Paste", text: text + rest }]
    // Escape and one of these letters start a sequence, but can also be two keys.
    return /^\u001b.?$/u.test(rest) ? ["escape", ...rest.slice(1)].map((name) => ({ _tag: "Key", name })) : []
  }

  return {
    feed,
    flush,
    get hasPending() {
      return pending !== "" || pasted !== undefined
    },
    get timeout() {
      if (pasted !== undefined) return PASTE_TIMEOUT
      if (pending === "") return undefined
      return pending === "\u001b" ? ESCAPE_TIMEOUT : SEQUENCE_TIMEOUT
    }
  }
}

/** Returns the number of characters at the end of the input that can be the start of `PASTE_END`. */
const partialEnd = (input: string, start: number): number => {
  const longest = Math.min(PASTE_END.length - 1, input.length - start)
  for (let length = longest; length > 0; length--) if (input.endsWith(PASTE_END.slice(0, length))) return length
  return 0
}

/**
 * Removes the middle of a long sequence: the start determines the kind, and the end can be the start of the terminator.
 */
const shorten = (sequence: string): string =>
  sequence.length <= MAX_SEQUENCE ? sequence : sequence.slice(0, MAX_SEQUENCE - 1) + sequence.slice(-1)
