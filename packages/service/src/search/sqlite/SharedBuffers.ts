/** Number of buffers of `SharedBuffers`. */
export const COUNT = 4

/** Maximum size of a buffer that is used again. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Memory that two threads share, used in turn, because the runtime frees copies and transferred memory much later than
 * they are used.
 */
export class SharedBuffers {
  readonly #buffers: Array<SharedArrayBuffer> = []
  #taken = 0

  /** Returns a buffer of at least some bytes, valid until the `COUNT`th next call. */
  take(bytes: number): SharedArrayBuffer {
    const at = this.#taken++ % COUNT
    const known = this.#buffers[at]
    if (known !== undefined && known.byteLength >= bytes) return known
    if (bytes > MAX_BYTES) return new SharedArrayBuffer(bytes)
    return (this.#buffers[at] = new SharedArrayBuffer(Math.min(MAX_BYTES, bytes * 2)))
  }
}
